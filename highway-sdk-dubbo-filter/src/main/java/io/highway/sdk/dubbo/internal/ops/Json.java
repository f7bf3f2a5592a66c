// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.ops;

import io.highway.sdk.dubbo.internal.audit.JsonWriter;

/** Writes {@link PlainValues} as JSON. As in Spring Boot's actuator, what has no value is left out. */
final class Json {

    private Json() {}

    /** The JSON of a value of this package. */
    static String of(Object value) {
        return JsonWriter.of(PlainValues.of(value), Integer.MAX_VALUE);
    }
}
