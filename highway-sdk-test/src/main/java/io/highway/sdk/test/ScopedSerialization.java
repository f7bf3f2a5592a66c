// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.serialize.MultipleSerialization;
import org.apache.dubbo.common.serialize.ObjectOutput;
import org.apache.dubbo.common.serialize.Serialization;
import org.jspecify.annotations.Nullable;

/**
 * Replaces Dubbo's serialization of Triple's messages, which trusts the classes of the process's first framework model only:
 * tests have several of them at a time. Used by Dubbo.
 */
public final class ScopedSerialization implements MultipleSerialization {

    /** Called by Dubbo. */
    public ScopedSerialization() {}

    @Override
    public void serialize(URL url, String name, @Nullable Class<?> type, @Nullable Object value, OutputStream out)
            throws IOException {
        ObjectOutput output = serialization(url, name).serialize(url, out);
        output.writeObject(value);
        output.flushBuffer();
    }

    @Override
    public Object deserialize(URL url, String name, Class<?> type, InputStream in)
            throws IOException, ClassNotFoundException {
        return serialization(url, name).deserialize(url, in).readObject(type);
    }

    private static Serialization serialization(URL url, String name) {
        return url.getOrDefaultFrameworkModel()
                .getExtensionLoader(Serialization.class)
                .getExtension(name.equals("hessian4") ? "hessian2" : name); // its name on the wire
    }
}
