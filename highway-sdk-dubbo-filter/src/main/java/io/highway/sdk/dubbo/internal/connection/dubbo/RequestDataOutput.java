// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.dubbo;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.serialize.ObjectOutput;
import org.jspecify.annotations.Nullable;

/**
 * Writes a request without the attachments that its fields repeat: providers set {@code path} and {@code version} from
 * the fields ({@code DecodeableRpcInvocation#decode}), and read no {@code interface}.
 */
final class RequestDataOutput implements ObjectOutput {

    private final ObjectOutput output;

    /** The service and version in the frame's fields. */
    private final @Nullable String service;

    private final @Nullable String version;

    RequestDataOutput(ObjectOutput output, @Nullable String service, @Nullable String version) {
        this.output = output;
        this.service = service;
        this.version = version;
    }

    @Override
    public void writeAttachments(Map<String, Object> attachments) throws IOException {
        Map<String, Object> needed = new HashMap<>();
        attachments.forEach((name, value) -> {
            if (!isRepeated(name, value)) {
                needed.put(name, value);
            }
        });
        output.writeAttachments(needed);
    }

    private boolean isRepeated(@Nullable String name, @Nullable Object value) {
        return CommonConstants.VERSION_KEY.equals(name)
                ? Objects.equals(value, version)
                : (CommonConstants.INTERFACE_KEY.equals(name) || CommonConstants.PATH_KEY.equals(name))
                        && Objects.equals(value, service);
    }

    @Override
    public void writeObject(@Nullable Object value) throws IOException {
        output.writeObject(value);
    }

    @Override
    public void writeThrowable(Throwable value) throws IOException {
        output.writeThrowable(value);
    }

    @Override
    public void writeEvent(String value) throws IOException {
        output.writeEvent(value);
    }

    @Override
    public void writeBool(boolean value) throws IOException {
        output.writeBool(value);
    }

    @Override
    public void writeByte(byte value) throws IOException {
        output.writeByte(value);
    }

    @Override
    public void writeShort(short value) throws IOException {
        output.writeShort(value);
    }

    @Override
    public void writeInt(int value) throws IOException {
        output.writeInt(value);
    }

    @Override
    public void writeLong(long value) throws IOException {
        output.writeLong(value);
    }

    @Override
    public void writeFloat(float value) throws IOException {
        output.writeFloat(value);
    }

    @Override
    public void writeDouble(double value) throws IOException {
        output.writeDouble(value);
    }

    @Override
    public void writeUTF(@Nullable String value) throws IOException {
        output.writeUTF(value);
    }

    @Override
    public void writeBytes(byte[] value) throws IOException {
        output.writeBytes(value);
    }

    @Override
    public void writeBytes(byte[] value, int offset, int length) throws IOException {
        output.writeBytes(value, offset, length);
    }

    @Override
    public void flushBuffer() throws IOException {
        output.flushBuffer();
    }
}
