// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import io.highway.sdk.dubbo.internal.policy.ConfigurationSources;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.spring.context.DubboSpringInitCustomizerHolder;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Puts {@link Islands} into the Spring context of a test, before Dubbo starts there. Contexts are cached by its settings. */
final class SpringIslands implements ContextCustomizerFactory {

    private static final String HTTP_PORT = "highway.http.port";

    /** An address where nothing answers: that of gateways whose island the test does not declare. */
    private static final String UNDECLARED = "undeclared.test:1";

    /** What keeps Dubbo off the network, and what makes its stop short. */
    private static final Map<String, String> OF_DUBBO = Map.ofEntries(
            Map.entry("dubbo.consumer.check", "false"), // a test says what home serves once the application has started
            Map.entry("highway.gateways.tls.enabled", "false"),
            Map.entry("dubbo.registry.address", Network.REGISTRY),
            Map.entry("dubbo.application.register-mode", "interface"),
            Map.entry("dubbo.application.qos-enable", "false"),
            Map.entry("dubbo.service.shutdown.wait", "10"));

    private static final Pattern GATEWAYS = Pattern.compile("highway\\..*gateways\\.(dubbo|triple|http)");
    private static final Pattern TLS = Pattern.compile("highway\\..*gateways\\.tls\\.enabled");

    /** What an empty value switches off. */
    private static final Pattern OFF = Pattern.compile("highway\\..*gateways\\.proxy"
            + "|dubbo\\.(config-center|config-centers\\..*|metadata-report|metadata-reports\\..*)\\.address");

    /** The end of the name of an item: in files, and in environment variables. */
    private static final Pattern ITEM = Pattern.compile("(\\[\\d+]|(?<=[A-Z])_\\d+_?)$");

    private static final Pattern REGISTRIES = Pattern.compile("dubbo\\.registries\\..*\\.address");

    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> test, List<ContextConfigurationAttributes> configuration) {
        HighwayTest settings = TestContextAnnotationUtils.findMergedAnnotation(test, HighwayTest.class);
        return settings == null
                ? null
                : new Customizer(
                        settings.home(), List.of(settings.islands()), settings.real(), List.of(settings.properties()));
    }

    /** Equal settings share a context. */
    private record Customizer(String home, List<String> islands, boolean real, List<String> properties)
            implements ContextCustomizer {

        @Override
        public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration test) {
            Islands.Builder builder = HighwayTestExtension.builder(
                    context.getEnvironment().getProperty(Islands.HOME_KEY, home),
                    islands.toArray(String[]::new),
                    real,
                    properties.toArray(String[]::new));
            Map<String, Object> keys = new HashMap<>();
            names(context).filter(GATEWAYS.asMatchPredicate()).forEach(key -> keys.put(key, UNDECLARED));
            names(context).filter(REGISTRIES.asMatchPredicate()).forEach(key -> keys.put(key, Network.REGISTRY));
            names(context).filter(TLS.asMatchPredicate()).forEach(key -> keys.put(key, "false"));
            names(context).filter(OFF.asMatchPredicate()).forEach(key -> keys.put(key, ""));
            names(context)
                    .filter(HTTP_PORT::equals)
                    .forEach(key -> keys.put(key, String.valueOf(Relay.freePort()))); // of each cached context
            keys.put("highway.policy.source", "none"); // a rule would name the gateways of production
            Islands created = builder.startHosted();
            keys.putAll(created.keys());
            keys.putAll(created.gateways(names(context).toList()));
            if (context.getEnvironment().containsProperty(Islands.CHECKS)
                    && properties.stream().noneMatch(property -> property.startsWith(Islands.CHECKS + "="))) {
                keys.remove(Islands.CHECKS);
            }
            keys.putAll(OF_DUBBO);
            context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("highway-test", keys));
            DefaultListableBeanFactory beans = (DefaultListableBeanFactory) context.getBeanFactory();
            DubboSpringInitCustomizerHolder.get().addCustomizer(dubbo -> {
                if (dubbo.getBeanFactory() == beans) { // a context that failed before leaves it to the next one
                    dubbo.setModuleModel(created.application().getDefaultModule());
                }
            });
            beans.addBeanPostProcessor(new BeanPostProcessor() {
                @Override
                public Object postProcessBeforeInitialization(Object bean, String name) {
                    if (bean instanceof RegistryConfig registry) {
                        registry.setAddress(Network.REGISTRY);
                        registry.setProtocol(Network.NAME); // an address does not replace it
                    }
                    return bean;
                }
            });
            beans.registerSingleton(Islands.class.getName(), created);
            beans.registerDisposableBean(
                    Islands.class.getName(), created::close); // after Dubbo, which ends with the context
        }

        private static Stream<String> names(ConfigurableApplicationContext context) {
            return context.getEnvironment().getPropertySources().stream()
                    .filter(EnumerablePropertySource.class::isInstance)
                    .flatMap(source -> Stream.of(((EnumerablePropertySource<?>) source).getPropertyNames()))
                    .map(Customizer::key);
        }

        /** The key that it means, also as an item of a list or as an environment variable. */
        private static String key(String name) {
            String whole = ITEM.matcher(name).replaceFirst("");
            if (whole.startsWith(ConfigurationSources.ENVIRONMENT_PREFIX)) {
                return String.valueOf(ConfigurationSources.fromEnvironment(whole, ""));
            }
            return whole.startsWith("highway.") ? ConfigurationSources.fromRelaxed(whole) : name;
        }
    }
}
