// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.facts;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.serialize.ObjectInput;
import org.apache.dubbo.common.serialize.ObjectOutput;
import org.apache.dubbo.common.serialize.Serialization;
import org.apache.dubbo.common.utils.SerializeCheckStatus;
import org.apache.dubbo.common.utils.SerializeSecurityManager;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/** Request bodies as Dubbo writes and reads them, of one serialization. */
final class Bodies implements AutoCloseable {

    static final String GENERIC_TYPES = "Ljava/lang/String;[Ljava/lang/String;[Ljava/lang/Object;";

    static final String PARCEL = "Lio/highway/sdk/dubbo/internal/facts/Parcel;";
    static final String MIXED = "I[BLjava/lang/String;[I";

    /** The methods of the service, by descriptor. */
    private static final Map<String, List<Class<?>>> TYPES = Map.of(
            "",
            List.of(),
            "Ljava/lang/Object;",
            List.of(Object.class),
            "Ljava/lang/Object;Ljava/lang/Object;",
            List.of(Object.class, Object.class),
            PARCEL,
            List.of(Parcel.class),
            MIXED,
            List.of(int.class, byte[].class, String.class, int[].class),
            GENERIC_TYPES,
            List.of(String.class, String[].class, Object[].class));

    final int id;
    private final FrameworkModel framework = new FrameworkModel();
    private final Serialization serialization;
    private final URL url;

    Bodies(String serialization) {
        url = URL.valueOf("dubbo://shanghai.test:1").setScopeModel(framework.newApplication());
        framework.getBeanFactory().getBean(SerializeSecurityManager.class).setCheckStatus(SerializeCheckStatus.DISABLE);
        this.serialization = framework.getExtensionLoader(Serialization.class).getExtension(serialization);
        id = this.serialization.getContentTypeId();
    }

    @Override
    public void close() {
        framework.destroy();
    }

    static Map<String, @Nullable Object> attachments() {
        Map<String, @Nullable Object> attachments = new HashMap<>();
        attachments.put("path", "com.foo.Sms");
        attachments.put("version", "1.0.0");
        attachments.put("group", "blue");
        attachments.put("highway-island", "shanghai");
        return attachments;
    }

    /** A call of {@code send} with arguments that are objects. */
    byte[] of(@Nullable Object... arguments) throws IOException {
        return write("send", "Ljava/lang/Object;".repeat(arguments.length), attachments(), arguments);
    }

    byte[] with(Map<String, ? extends @Nullable Object> attachments) throws IOException {
        return write("send", "", attachments);
    }

    byte[] write(
            String method,
            String types,
            @Nullable Map<String, ? extends @Nullable Object> attachments,
            @Nullable Object... arguments)
            throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ObjectOutput out = serialization.serialize(url, bytes);
        for (String text : new String[] {"2.0.2", "com.foo.Sms", "1.0.0", method, types}) {
            out.writeUTF(text);
        }
        for (Object argument : arguments) {
            out.writeObject(argument);
        }
        out.writeObject(attachments);
        out.flushBuffer();
        return bytes.toByteArray();
    }

    byte[] value(@Nullable Object value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ObjectOutput out = serialization.serialize(url, bytes);
        out.writeObject(value);
        out.flushBuffer();
        return bytes.toByteArray();
    }

    /** What {@code DecodeableRpcInvocation} makes of a body. */
    @SuppressWarnings("deprecation") // as Dubbo begins
    RpcInvocation decode(byte[] body) throws IOException, ClassNotFoundException {
        ObjectInput in = serialization.deserialize(url, new ByteArrayInputStream(body));
        RpcInvocation decoded = new RpcInvocation();
        decoded.setAttachment("dubbo", in.readUTF());
        decoded.setAttachment("path", in.readUTF());
        decoded.setAttachment("version", in.readUTF());
        decoded.setMethodName(in.readUTF());
        decoded.setParameterTypesDesc(in.readUTF());
        List<Class<?>> types = TYPES.get(decoded.getParameterTypesDesc());
        if (types == null) {
            throw new IOException("no such method");
        }
        List<@Nullable Object> arguments = new ArrayList<>();
        for (Class<?> type : types) {
            arguments.add(in.readObject(type));
        }
        decoded.setArguments(arguments.toArray());
        Map<String, Object> attachments = in.readAttachments();
        if (attachments != null) {
            decoded.addObjectAttachments(attachments);
        }
        return decoded;
    }
}
