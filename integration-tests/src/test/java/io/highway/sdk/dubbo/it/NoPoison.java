// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import java.util.Arrays;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.validation.Validation;
import org.apache.dubbo.validation.Validator;

/** A user's validation. */
public final class NoPoison implements Validation, Validator {

    @Override
    public Validator getValidator(URL url) {
        return this;
    }

    @Override
    public void validate(String methodName, Class<?>[] parameterTypes, Object[] arguments) {
        if (Arrays.asList(arguments).contains("poison")) {
            throw new IllegalArgumentException("poison is not sold");
        }
    }

    @SuppressWarnings("MissingOverride") // Dubbo 3.2 does not ask
    public boolean isSupport() {
        return true;
    }
}
