// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.facts;

import io.highway.sdk.dubbo.internal.facts.DubboRequestFacts;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.serialize.ObjectInput;
import org.apache.dubbo.common.serialize.ObjectOutput;
import org.apache.dubbo.common.serialize.Serialization;
import org.apache.dubbo.rpc.model.FrameworkModel;

/** The body of one request, as Dubbo writes it. Used by one thread. */
final class Request {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private static final double NANOS_PER_MICRO = 1000;

    private final Serialization serialization;
    private final URL url;
    private final Class<?> type;
    private final byte[] bytes;
    private final ByteBuf buffer;

    Request(FrameworkModel framework, String serialization, Object argument) throws IOException {
        this.serialization = framework.getExtensionLoader(Serialization.class).getExtension(serialization);
        url = URL.valueOf("dubbo://127.0.0.1:1").setScopeModel(framework.newApplication());
        type = argument instanceof List ? List.class : argument.getClass();
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        ObjectOutput out = this.serialization.serialize(url, body);
        for (String text : new String[] {"2.0.2", "com.foo.Sms", "1.0.0", "send", type.descriptorString()}) {
            out.writeUTF(text);
        }
        out.writeObject(argument);
        out.writeAttachments(new HashMap<>(
                Map.of("path", "com.foo.Sms", "version", "1.0.0", "group", "blue", "highway-island", "shanghai")));
        out.flushBuffer();
        bytes = body.toByteArray();
        buffer = Unpooled.unreleasableBuffer(
                Unpooled.directBuffer(bytes.length).writeBytes(bytes).asReadOnly());
    }

    /**
     * Processor time of this thread per request, in microseconds.
     *
     * @param reading of its facts
     * @param decoding of all of it
     */
    record Round(double reading, double decoding) {

        double ratio() {
            return reading / decoding;
        }
    }

    Round round(int times) throws IOException {
        long begun = THREADS.getCurrentThreadCpuTime();
        for (int left = times; left > 0; left--) {
            require("shanghai".equals(read().attachments().get("highway-island")));
        }
        long read = THREADS.getCurrentThreadCpuTime();
        for (int left = times; left > 0; left--) {
            require("shanghai".equals(decode().get("highway-island")));
        }
        long decoded = THREADS.getCurrentThreadCpuTime();
        return new Round((read - begun) / NANOS_PER_MICRO / times, (decoded - read) / NANOS_PER_MICRO / times);
    }

    private DubboRequestFacts read() {
        return DubboRequestFacts.ofBody(buffer, serialization.getContentTypeId());
    }

    private Map<String, Object> decode() throws IOException {
        ObjectInput in = serialization.deserialize(url, new ByteArrayInputStream(bytes));
        for (int texts = 5; texts > 0; texts--) {
            in.readUTF();
        }
        try {
            in.readObject(type);
            return in.readAttachments();
        } catch (ClassNotFoundException e) {
            throw new IOException(e);
        }
    }

    private static void require(boolean isRight) {
        if (!isRight) {
            throw new IllegalStateException("the request is not what it was");
        }
    }
}
