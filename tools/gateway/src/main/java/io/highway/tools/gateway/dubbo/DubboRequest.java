// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway.dubbo;

import io.netty.buffer.ByteBuf;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The parts of a request that a gateway needs: its service and its island. */
public record DubboRequest(
        String service, @Nullable String version, String method, @Nullable String group, @Nullable String island) {
    private static final String ISLAND = "highway-island";
    private static final String GROUP = "group";
    private static final Set<String> WANTED = Set.of(ISLAND, GROUP);

    /**
     * Reads the head and the trailing attachments; the arguments in between are stepped over.
     *
     * @throws UnreadableRequestException when the serialization is unknown or the bytes do not follow it
     */
    public static DubboRequest read(DubboFrame frame) {
        try {
            return read(reader(frame.serialization(), frame.body()));
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            throw new UnreadableRequestException("the body ends early or a length is wrong");
        }
    }

    private static RequestReader reader(int serialization, ByteBuf body) {
        return switch (serialization) {
            case Serialization.HESSIAN2 -> new Hessian2Reader(body);
            case Serialization.FASTJSON2 -> new JsonbReader(body);
            default ->
                throw new UnreadableRequestException(
                        "serialization id " + serialization + "; hessian2 (2) and fastjson2 (23) can be routed");
        };
    }

    private static DubboRequest read(RequestReader reader) {
        reader.skipValue();
        String service = reader.readString();
        String version = reader.readString();
        String method = reader.readString();
        String parameterTypes = reader.readString();
        if (service == null || method == null) {
            throw new UnreadableRequestException("no service or method name");
        }
        for (int left = countParameters(parameterTypes == null ? "" : parameterTypes); left > 0; left--) {
            reader.skipValue();
        }
        Map<String, String> attachments = reader.readEntries(WANTED);
        return new DubboRequest(service, version, method, attachments.get(GROUP), attachments.get(ISLAND));
    }

    /** Counts the types of a JVM descriptor such as {@code Ljava/lang/String;[IJ}. */
    static int countParameters(String descriptor) {
        int count = 0;
        for (int at = 0; at < descriptor.length(); at++) {
            char kind = descriptor.charAt(at);
            if (kind == 'L') {
                at = descriptor.indexOf(';', at);
                if (at < 0) {
                    throw new UnreadableRequestException("parameter types " + descriptor);
                }
            }
            if (kind != '[') {
                count++;
            }
        }
        return count;
    }
}
