// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.calls;

import io.highway.sdk.HighwayAttachments;
import io.highway.tools.gateways.Protocol;
import java.util.HashMap;
import java.util.Map;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcContextAttachment;

/**
 * A path to the provider, with its own application.
 *
 * @param name {@code direct}, or the gateway's name and version
 * @param protocol what its calls travel by
 * @param routed whether the SDK routes its calls
 * @param attached what the caller's own code attaches to each call
 */
public record CallPath(
        String name,
        Protocol protocol,
        CallerApplication application,
        UploadService uploads,
        boolean routed,
        Map<String, String> attached)
        implements AutoCloseable {

    private static final String DIRECT = "direct";

    /** Plain Dubbo, from caller to provider. */
    public static CallPath direct(Protocol protocol, String provider) {
        return plain(DIRECT, protocol, provider, Map.of());
    }

    /**
     * Plain Dubbo to a gateway, as without the SDK: a reference with the gateway's address, and the destination
     * attached to every call by the caller's own code.
     *
     * @param entrance {@code host:port}
     * @param signing whether the provider demands signatures
     */
    public static CallPath plain(String name, Protocol protocol, String entrance, String island, Signing signing) {
        Map<String, String> attached = new HashMap<>(signing.unsigned());
        attached.put(HighwayAttachments.ISLAND, island);
        return plain(name, protocol, entrance, attached);
    }

    private static CallPath plain(String name, Protocol protocol, String address, Map<String, String> attached) {
        CallerApplication plain = CallerApplication.plain();
        UploadService uploads = plain.direct(UploadService.class, protocol, address);
        return new CallPath(name, protocol, plain, uploads, false, attached);
    }

    /**
     * Through a gateway.
     *
     * @param entrance {@code host:port}
     * @param policy further keys: of the island, such as {@code compression}, or with the prefix of all keys
     */
    public static CallPath through(String gateway, Protocol protocol, String entrance, Map<String, String> policy) {
        CallerApplication application = CallerApplication.tunnelling(protocol, entrance, policy);
        return new CallPath(gateway, protocol, application, application.routed(UploadService.class), true, Map.of());
    }

    /** Whether no gateway is on it. */
    public boolean isDirect() {
        return name.equals(DIRECT);
    }

    /**
     * Makes one call.
     *
     * @throws IllegalStateException if something else than the body arrived
     */
    public int upload(byte[] body) {
        attach();
        int length = uploads.upload(body);
        if (length != body.length) {
            throw new IllegalStateException(length + " of " + body.length + " bytes arrived");
        }
        return length;
    }

    /** Another service of the provider, called through the same gateway. */
    public <T> T routed(Class<T> service) {
        return application.routed(service);
    }

    private void attach() {
        if (!attached.isEmpty()) {
            RpcContextAttachment attachments = RpcContext.getClientAttachment();
            attached.forEach(attachments::setAttachment);
        }
    }

    /** Checks that calls take this path. */
    public void check() {
        attach();
        String from = uploads.from();
        if (!from.equals(routed ? CallerApplication.HOME : "")) {
            throw new IllegalStateException(
                    "a call by " + protocol.title() + ", " + name + ", came from \"" + from + "\"");
        }
    }

    @Override
    public void close() {
        application.close();
    }
}
