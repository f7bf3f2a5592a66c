// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.calls;

/** A way to the provider, with an application of its own. */
public final class Way implements AutoCloseable {

    private static final String DIRECT = "direct";

    private final String name;
    private final Protocol protocol;
    private final CallerApplication application;
    private final UploadService uploads;

    private Way(String name, Protocol protocol, CallerApplication application, UploadService uploads) {
        this.name = name;
        this.protocol = protocol;
        this.application = application;
        this.uploads = uploads;
    }

    /** Plain Dubbo, from caller to provider. */
    public static Way direct(Protocol protocol, String provider) {
        CallerApplication plain = CallerApplication.plain();
        return new Way(DIRECT, protocol, plain, plain.direct(UploadService.class, protocol, provider));
    }

    /**
     * Through a gateway.
     *
     * @param entrance {@code host:port}
     */
    public static Way through(String gateway, Protocol protocol, String entrance) {
        CallerApplication application = CallerApplication.tunnelling(protocol, entrance);
        return new Way(gateway, protocol, application, application.routed(UploadService.class));
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
        int length = uploads.upload(body);
        if (length != body.length) {
            throw new IllegalStateException(length + " of " + body.length + " bytes arrived");
        }
        return length;
    }

    /** Makes sure that it is the way it says to be. */
    public void check() {
        String from = uploads.from();
        if (!from.equals(isDirect() ? "" : CallerApplication.HOME)) {
            throw new IllegalStateException(
                    "a call by " + protocol.title() + ", " + name + ", came from \"" + from + "\"");
        }
    }

    @Override
    public void close() {
        application.close();
    }
}
