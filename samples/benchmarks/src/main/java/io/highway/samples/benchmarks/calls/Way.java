// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.calls;

import io.highway.sdk.HighwayAttachments;
import java.util.Map;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/** A way to the provider: a Dubbo application in zhejiang that shares nothing with those of other ways. */
public final class Way implements AutoCloseable {

    private static final String DIRECT = "direct";

    private static final String HOME = "zhejiang";
    private static final String TIMEOUT_MILLIS = "10000";

    private final String name;
    private final Protocol protocol;
    private final FrameworkModel framework = new FrameworkModel();
    private final UploadService uploads;
    private final boolean routed;
    private final @Nullable String attached;

    private Way(
            String name,
            Protocol protocol,
            String url,
            Map<String, String> highway,
            Map<String, String> parameters,
            @Nullable String attached) {
        this.name = name;
        this.protocol = protocol;
        this.routed = !highway.isEmpty();
        this.attached = attached;
        DubboBootstrap dubbo = DubboBootstrap.getInstance(framework.newApplication());
        dubbo.getApplicationModel().modelEnvironment().updateAppConfigMap(highway);
        ReferenceConfig<UploadService> reference = new ReferenceConfig<>();
        reference.setInterface(UploadService.class);
        reference.setUrl(url);
        reference.setCheck(false);
        reference.setRetries(0);
        reference.setTimeout(Integer.valueOf(TIMEOUT_MILLIS));
        reference.setParameters(parameters);
        ApplicationConfig application = new ApplicationConfig("caller");
        application.setQosEnable(false);
        dubbo.application(application).registry(new RegistryConfig("N/A")).reference(reference);
        this.uploads = reference.get();
    }

    /** Plain Dubbo, from caller to provider. */
    public static Way direct(Protocol protocol, String provider) {
        return plain(DIRECT, protocol, provider, null);
    }

    /**
     * Plain Dubbo to a gateway, as somebody without the SDK would do it: a reference with the gateway's address, and the
     * destination attached to every call by the caller's own code.
     *
     * @param entrance {@code host:port}
     */
    public static Way plain(String name, Protocol protocol, String entrance, @Nullable String island) {
        return new Way(
                name,
                protocol,
                protocol.scheme() + "://" + entrance,
                Map.of(),
                Map.of("serialization", "hessian2", "prefer.serialization", "hessian2"),
                island);
    }

    /**
     * Through a gateway.
     *
     * @param entrance {@code host:port}
     */
    public static Way through(String gateway, Protocol protocol, String entrance) {
        return new Way(
                gateway,
                protocol,
                "dubbo://zhejiang.test:9?lazy=true", // nobody is there: a call that goes astray fails
                Map.of(
                        "highway.island",
                        HOME,
                        "highway.islands.shanghai.tunnel",
                        protocol.key(),
                        "highway.islands.shanghai.gateways." + protocol.key(),
                        entrance),
                Map.of(HighwayAttachments.ISLAND, "shanghai"),
                null);
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

    private void attach() {
        if (attached != null) {
            RpcContext.getClientAttachment().setAttachment(HighwayAttachments.ISLAND, attached);
        }
    }

    /** Makes sure that it is the way it says to be. */
    public void check() {
        attach();
        String from = uploads.from();
        if (!from.equals(routed ? HOME : "")) {
            throw new IllegalStateException(
                    "a call by " + protocol.title() + ", " + name + ", came from \"" + from + "\"");
        }
    }

    @Override
    public void close() {
        framework.destroy();
    }
}
