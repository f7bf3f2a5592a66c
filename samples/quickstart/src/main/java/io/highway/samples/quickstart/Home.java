// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.quickstart;

import io.highway.samples.quickstart.service.SmsService;
import io.highway.sdk.dubbo.HighwayReport;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.apache.dubbo.config.MethodConfig;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;
import org.apache.dubbo.qos.api.BaseCommand;
import org.apache.dubbo.qos.api.CommandContext;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.service.GenericService;

/**
 * The consumer in zhejiang: a plain Dubbo application, with {@code zhejiang.properties} as its only configuration of
 * the highway.
 */
final class Home implements AutoCloseable {

    /** Where the page takes a report from. */
    private static final String REPORT = "<script id=\"report\" type=\"application/json\">";

    private final FrameworkModel framework = new FrameworkModel();
    private final DubboBootstrap dubbo = DubboBootstrap.getInstance(framework.newApplication());
    private final LastCall lastCall = new LastCall();

    /**
     * Creates the consumer without starting it.
     *
     * @param gateways the {@code highway.*} keys with the address of home's gateway
     */
    Home(String registry, Map<String, String> gateways) throws IOException {
        Map<String, String> configuration = new HashMap<>(gateways);
        properties().forEach((key, value) -> configuration.put((String) key, (String) value));
        dubbo.getApplicationModel().modelEnvironment().updateAppConfigMap(configuration);
        dubbo.application("quickstart").registry(new RegistryConfig(registry));
    }

    private static Properties properties() throws IOException {
        Properties properties = new Properties();
        try (Reader file = new InputStreamReader(
                Objects.requireNonNull(Home.class.getResourceAsStream("/zhejiang.properties")),
                StandardCharsets.UTF_8)) {
            properties.load(file);
        }
        return properties;
    }

    /** A reference as {@code @DubboReference(check = true)} creates it; {@code check} is Dubbo's default. */
    <S> S reference(Class<S> type) {
        return reference(type, Map.of());
    }

    /** A reference with parameters, which is what {@code @Island} on it is converted to. */
    <S> S reference(Class<S> type, Map<String, String> parameters) {
        ReferenceConfig<S> reference = new ReferenceConfig<>();
        reference.setInterface(type);
        reference.setParameters(new HashMap<>(parameters));
        reference.setCheck(true);
        if (type == SmsService.class) {
            MethodConfig oneway = new MethodConfig();
            oneway.setName("note");
            oneway.setReturn(false);
            reference.setMethods(List.of(oneway));
        }
        return refer(reference);
    }

    GenericService generic(Class<?> type) {
        ReferenceConfig<GenericService> reference = new ReferenceConfig<>();
        reference.setInterface(type.getName());
        reference.setGeneric("true");
        return refer(reference);
    }

    private <S> S refer(ReferenceConfig<S> reference) {
        dubbo.reference(reference);
        return lastCall.observe(reference, dubbo.getApplicationModel());
    }

    /** Writes the page of {@code /actuator/highwaystar} with the present report: what Dubbo's QoS answers as {@code highway --json}. */
    void draw(Path file) throws IOException {
        String report = framework
                .getExtensionLoader(BaseCommand.class)
                .getExtension("highway")
                .execute(new CommandContext("highway"), new String[] {"--json"});
        try (InputStream page = Objects.requireNonNull(HighwayReport.class.getResourceAsStream("star.html"))) {
            Files.writeString(
                    file,
                    new String(page.readAllBytes(), StandardCharsets.UTF_8)
                            .replace(REPORT, REPORT + report.replace("<", "\\u003c")));
        }
    }

    LastCall lastCall() {
        return lastCall;
    }

    @Override
    public void close() {
        framework.destroy();
    }
}
