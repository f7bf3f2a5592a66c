// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.calls;

import io.highway.sdk.HighwayAttachments;
import java.util.HashMap;
import java.util.Map;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcContextAttachment;
import org.jspecify.annotations.Nullable;

/** A path to the provider, with its own application. */
public final class CallPath implements AutoCloseable {

    private static final String DIRECT = "direct";

    private final String name;
    private final Protocol protocol;
    private final CallerApplication application;
    private final UploadService uploads;
    private final boolean routed;
    private final Map<String, String> attached;

    private CallPath(
            String name,
            Protocol protocol,
            CallerApplication application,
            UploadService uploads,
            boolean routed,
            Map<String, String> attached) {
        this.name = name;
        this.protocol = protocol;
        this.application = application;
        this.uploads = uploads;
        this.routed = routed;
        this.attached = attached;
    }

    /** Plain Dubbo, from caller to provider. */
    public static CallPath direct(Protocol protocol, String provider) {
        return plain(DIRECT, protocol, provider, null);
    }

    /**
     * Plain Dubbo to a gateway, as without the SDK: a reference with the gateway's address, and the destination
     * attached to every call by the caller's own code.
     *
     * @param entrance {@code host:port}
     */
    public static CallPath plain(String name, Protocol protocol, String entrance, @Nullable String island) {
        return plain(name, protocol, entrance, island, Signing.OFF);
    }

    /**
     * Plain Dubbo to a gateway, in front of a provider that may demand signatures.
     *
     * @param entrance {@code host:port}
     */
    public static CallPath plain(
            String name, Protocol protocol, String entrance, @Nullable String island, Signing signing) {
        CallerApplication plain = CallerApplication.plain();
        UploadService uploads = plain.direct(UploadService.class, protocol, entrance);
        Map<String, String> attached = new HashMap<>();
        if (island != null) {
            attached.put(HighwayAttachments.ISLAND, island);
            attached.putAll(signing.unsigned());
        }
        return new CallPath(name, protocol, plain, uploads, false, attached);
    }

    /**
     * Through a gateway, by calls that may be signed.
     *
     * @param entrance {@code host:port}
     */
    public static CallPath through(String gateway, Protocol protocol, String entrance, Signing signing) {
        CallerApplication application = CallerApplication.tunnelling(protocol, entrance, Map.of(), signing);
        return new CallPath(gateway, protocol, application, application.routed(UploadService.class), true, Map.of());
    }

    /**
     * Through a gateway.
     *
     * @param entrance {@code host:port}
     */
    public static CallPath through(String gateway, Protocol protocol, String entrance) {
        return through(gateway, protocol, entrance, Map.of());
    }

    /**
     * Through a gateway, with a policy.
     *
     * @param entrance {@code host:port}
     * @param policy further keys of the island, such as {@code compression}
     */
    public static CallPath through(String gateway, Protocol protocol, String entrance, Map<String, String> policy) {
        CallerApplication application = CallerApplication.tunnelling(protocol, entrance, policy);
        return new CallPath(gateway, protocol, application, application.routed(UploadService.class), true, Map.of());
    }

    /** {@code direct}, or the gateway's name and version. */
    public String name() {
        return name;
    }

    /** What its calls travel by. */
    public Protocol protocol() {
        return protocol;
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
