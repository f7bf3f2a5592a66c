// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.facts;

import io.netty.buffer.ByteBuf;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.dubbo.rpc.RpcInvocation;
import org.jspecify.annotations.Nullable;

/**
 * What a Dubbo request says, read by structure alone: no class is looked up, and nothing is hashed or allocated by a
 * length that is only claimed.
 *
 * @param service the name in front of the arguments; see {@link #path}
 * @param version the version in front of the arguments
 * @param method the method as sent, {@code $invoke} for a generic call
 * @param types the descriptor of the parameter types as sent, such as {@code Ljava/lang/String;[IJ}
 * @param attachments those of this SDK and those that Dubbo reads, integers as decimal text; others are not kept
 * @param generic what a generic call names, otherwise null
 */
public record DubboRequestFacts(
        String service,
        @Nullable String version,
        String method,
        String types,
        Map<String, String> attachments,
        @Nullable GenericMethod generic) {

    private static final int LONGEST_DESCRIPTOR = 8192;

    private static final String GENERIC_TYPES = "Ljava/lang/String;[Ljava/lang/String;[Ljava/lang/Object;";

    private static final Set<String> GENERIC_METHODS = Set.of("$invoke", "$invokeAsync");

    /** Whether a body of this serialization can be read: hessian2 and fastjson2. */
    public static boolean canRead(int serialization) {
        return serialization == BodyScanners.HESSIAN2 || serialization == BodyScanners.FASTJSON2;
    }

    /** Whether a body is that of an event: null or a letter, and nothing by a length that is only claimed. */
    public static boolean isEvent(ByteBuf body, int serialization) {
        try {
            BodyScanner reader = BodyScanners.of(body, serialization);
            reader.readText(1);
            reader.requireEnd();
            return true;
        } catch (UnreadableRequestException e) {
            return false;
        }
    }

    /**
     * Reads the body of a request, which is what follows the 16 bytes of its frame's header; its reader index is not
     * moved.
     *
     * @param serialization the id in that header
     * @throws UnreadableRequestException if it is one that {@link #canRead} does not know, or if the body does not follow
     *     it or could be decoded differently
     */
    public static DubboRequestFacts ofBody(ByteBuf body, int serialization) {
        BodyScanner reader = BodyScanners.of(body, serialization);
        reader.readText(BodyScanner.LONGEST_NAME); // the version of the protocol
        String service = reader.requireText(BodyScanner.LONGEST_NAME, "service");
        String version = reader.readText(BodyScanner.LONGEST_NAME);
        String method = reader.requireText(BodyScanner.LONGEST_NAME, "method");
        String types = reader.requireText(LONGEST_DESCRIPTOR, "parameter types");
        int left = countParameters(types);
        GenericMethod generic = null;
        if (GENERIC_METHODS.contains(method) && types.equals(GENERIC_TYPES)) {
            generic = GenericMethod.of(reader);
            left -= 2;
        }
        for (; left > 0; left--) {
            reader.skipArgument();
        }
        RequestAttachments attachments = new RequestAttachments();
        reader.readAttachments(attachments);
        reader.requireEnd();
        return new DubboRequestFacts(service, version, method, types, attachments.facts(), generic);
    }

    /** Counts the types of a JVM descriptor. */
    static int countParameters(String descriptor) {
        int count = 0;
        for (int at = 0; at < descriptor.length(); at++) {
            char kind = descriptor.charAt(at);
            if (kind == 'L') {
                int start = at;
                at = descriptor.indexOf(';', at);
                if (at < start || at - start > BodyScanner.LONGEST_NAME) {
                    throw new UnreadableRequestException("parameter types with a name that is too long or has no end");
                }
            } else if ("[ZBCDFIJS".indexOf(kind) < 0) {
                throw new UnreadableRequestException("parameter types that are no descriptor");
            }
            if (kind != '[') {
                count++;
            }
        }
        if (descriptor.endsWith("[") || count > BodyScanner.MOST_PARAMETERS) {
            throw new UnreadableRequestException("parameter types that no method has");
        }
        return count;
    }

    /** The path by which Dubbo finds the service: an attachment, if there is one, replaces the name in front. */
    public String path() {
        return attachments.getOrDefault("path", service);
    }

    /**
     * What Dubbo decoded differently: path, version, group, method, parameter types, what a generic call names, or an
     * attachment of this SDK.
     *
     * @return its name, or null if all are equal
     */
    public @Nullable String differenceFrom(RpcInvocation decoded) {
        Map<String, Object> others = decoded.getObjectAttachments();
        if (!method.equals(decoded.getMethodName())) {
            return "method";
        }
        if (!types.equals(decoded.getParameterTypesDesc())) {
            return "parameter types";
        }
        if (!path().equals(others.get("path"))) {
            return "path";
        }
        if (!Objects.equals(attachments.getOrDefault("version", version), others.get("version"))) {
            return "version";
        }
        if (generic != null && !generic.areIn(decoded.getArguments())) {
            return "arguments";
        }
        Set<Object> names = new HashSet<>(attachments.keySet());
        names.addAll(others.keySet());
        for (Object key : names) {
            if (!(key instanceof String name)) {
                return "attachments";
            }
            if ((name.equals("group") || RequestAttachments.isOwn(name))
                    && !Objects.equals(attachments.get(name), textOf(others.get(name)))) {
                return name;
            }
        }
        return null;
    }

    private static @Nullable String textOf(@Nullable Object value) {
        return value == null ? null : value.toString();
    }
}
