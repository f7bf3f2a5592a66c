// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;

/** A plain Dubbo consumer pointed at a gateway. */
final class TestCaller implements AutoCloseable {
    private final FrameworkModel framework = new FrameworkModel();
    private final ApplicationModel application = framework.newApplication();

    TestCaller() {
        ApplicationConfig config = new ApplicationConfig("caller");
        config.setQosEnable(false);
        application.getApplicationConfigManager().setApplication(config);
    }

    <T> T refer(Class<T> type, String protocol, int port) {
        return refer(type, protocol, port, Map.of());
    }

    <T> T refer(Class<T> type, String protocol, int port, Map<String, String> parameters) {
        Map<String, String> all = new HashMap<>(parameters);
        all.putIfAbsent("timeout", "5000");
        all.putIfAbsent("payload", String.valueOf(16 << 20));
        StringBuilder url = new StringBuilder(protocol + "://gateway.shanghai.test:" + port + "?x=1");
        all.forEach((key, value) -> url.append('&').append(key).append('=').append(value));
        ReferenceConfig<T> reference = new ReferenceConfig<>();
        reference.setScopeModel(application.getDefaultModule());
        reference.setInterface(type);
        reference.setUrl(url.toString());
        reference.setCheck(false);
        reference.setRetries(0);
        reference.setGroup(parameters.get("group"));
        reference.setVersion(parameters.get("version"));
        if (parameters.containsKey("oneway")) {
            reference.setParameters(Map.of("note.return", "false"));
        }
        return reference.get();
    }

    static <T> T to(String island, Supplier<T> call) {
        RpcContext.getClientAttachment().setAttachment("highway-island", island);
        try {
            return call.get();
        } finally {
            RpcContext.getClientAttachment().removeAttachment("highway-island");
        }
    }

    @Override
    public void close() {
        framework.destroy();
    }
}
