// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.calls;

import java.util.HashMap;
import java.util.Map;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;
import org.apache.dubbo.rpc.model.FrameworkModel;

/** A way to the provider: a Dubbo application in zhejiang that shares nothing with those of other ways. */
public final class Way implements AutoCloseable {

    private static final String DIRECT = "direct";

    private static final String HOME = "zhejiang";
    private static final String SHANGHAI = "highway.islands.shanghai.";
    private static final String TIMEOUT_MILLIS = "10000";

    private final String name;
    private final Protocol protocol;
    private final FrameworkModel framework = new FrameworkModel();
    private final UploadService uploads;

    private Way(
            String name, Protocol protocol, String url, Map<String, String> highway, Map<String, String> parameters) {
        this.name = name;
        this.protocol = protocol;
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
        return new Way(
                DIRECT,
                protocol,
                protocol.scheme() + "://" + provider,
                Map.of(),
                Map.of("serialization", "hessian2", "prefer.serialization", "hessian2"));
    }

    /**
     * Through a gateway.
     *
     * @param entrance {@code host:port}
     */
    public static Way through(String gateway, Protocol protocol, String entrance) {
        return through(gateway, protocol, entrance, Map.of());
    }

    /**
     * Through a gateway, with a policy.
     *
     * @param entrance {@code host:port}
     * @param policy further keys of the island, such as {@code compression}
     */
    public static Way through(String gateway, Protocol protocol, String entrance, Map<String, String> policy) {
        Map<String, String> highway = new HashMap<>();
        highway.put("highway.island", HOME);
        highway.put(SHANGHAI + "tunnel", protocol.key());
        highway.put(SHANGHAI + "gateways." + protocol.key(), entrance);
        policy.forEach((key, value) -> highway.put(SHANGHAI + key, value));
        return new Way(
                gateway,
                protocol,
                "dubbo://zhejiang.test:9?lazy=true", // nobody is there: a call that goes astray fails
                highway,
                Map.of("highway-island", "shanghai"));
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
        if (!from.equals(isDirect() ? "" : HOME)) {
            throw new IllegalStateException(
                    "a call by " + protocol.title() + ", " + name + ", came from \"" + from + "\"");
        }
    }

    @Override
    public void close() {
        framework.destroy();
    }
}
