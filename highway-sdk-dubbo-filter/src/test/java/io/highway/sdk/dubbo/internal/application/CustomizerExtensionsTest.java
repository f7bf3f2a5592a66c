// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.HighwayCustomizer;
import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.HighwaySetup;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.dubbo.common.lang.Prioritized;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Customizers that Dubbo finds as extensions, in a file that only the application's class loader sees. */
class CustomizerExtensionsTest {

    private static final String TIMEOUT = "highway.islands.shanghai.timeout";

    @TempDir
    private Path folder;

    private final FrameworkModel framework = new FrameworkModel();
    private final ApplicationModel application = framework.newApplication();

    @AfterEach
    void stop() {
        framework.destroy();
    }

    public static final class OneSecond implements HighwayCustomizer {

        @Override
        public void customize(HighwaySetup setup) {
            setup.set(TIMEOUT, "1s").set("highway.islands.shanghai.retries", "1");
        }
    }

    public static final class Counting implements HighwayCustomizer {

        static final AtomicInteger applied = new AtomicInteger();

        @Override
        public void customize(HighwaySetup setup) {
            applied.incrementAndGet();
        }
    }

    public static final class TwoSeconds implements HighwayCustomizer {

        @Override
        public void customize(HighwaySetup setup) {
            setup.set(TIMEOUT, "2s");
        }
    }

    /** First, whatever its name is. */
    public static final class ThreeSeconds implements HighwayCustomizer, Prioritized {

        @Override
        public void customize(HighwaySetup setup) {
            setup.set(TIMEOUT, "3s").set("highway.islands.shanghai.retries", "3");
        }
    }

    /** Gets what Dubbo gives to extensions. */
    public static final class OfTheApplication implements HighwayCustomizer {

        private final ApplicationModel model;

        public OfTheApplication(ApplicationModel model) {
            this.model = model;
        }

        @Override
        public void customize(HighwaySetup setup) {
            setup.set("highway.islands.shanghai.deny", model.getApplicationName() + "*");
        }
    }

    public static final class Broken implements HighwayCustomizer {

        public Broken() {
            throw new IllegalArgumentException("no table of islands");
        }

        @Override
        public void customize(HighwaySetup setup) {
            // never called
        }
    }

    private HighwayRuntime runtime(String directory, String... lines) throws IOException {
        Path file = folder.resolve(directory).resolve(HighwayCustomizer.class.getName());
        Files.createDirectories(file.getParent());
        Files.writeString(file, String.join("\n", lines));
        application.addClassLoader(new URLClassLoader(
                new URL[] {folder.toUri().toURL()}, getClass().getClassLoader()));
        application.getApplicationConfigManager().setApplication(new ApplicationConfig("orders"));
        application.modelEnvironment().initialize();
        application
                .modelEnvironment()
                .updateAppConfigMap(Map.of(
                        "highway.island", "zhejiang",
                        "highway.gateways.dubbo", "gateway.zhejiang.test:20880",
                        "highway.islands.shanghai.timeout", "9s"));
        return HighwayRuntime.of(application);
    }

    private static String line(String name, Class<?> type) {
        return name + "=" + type.getName();
    }

    @ParameterizedTest
    @ValueSource(strings = {"META-INF/dubbo", "META-INF/services", "META-INF/dubbo/internal"})
    void appliesThemByPriorityAndName(String directory) throws Exception {
        HighwayRuntime runtime = runtime(
                directory,
                "# customizers",
                "",
                line("b", TwoSeconds.class) + " # later than a",
                line("a", OneSecond.class),
                line("z", ThreeSeconds.class),
                line("c", OfTheApplication.class));

        assertThat(runtime.policy().forIsland("shanghai").calls().timeoutMillis())
                .isEqualTo(2000);
        assertThat(runtime.policy().forIsland("shanghai").calls().retries()).isEqualTo(1);
        assertThat(runtime.policy()
                        .settings()
                        .get("highway.islands.shanghai.deny")
                        .value())
                .isEqualTo("orders*");
    }

    @Test
    void beansOfTheApplicationComeLater() throws Exception {
        application.getBeanFactory().registerBean((HighwayCustomizer) setup -> setup.set(TIMEOUT, "7s"));
        HighwayRuntime runtime = runtime("META-INF/dubbo", line("a", OneSecond.class));

        assertThat(runtime.policy().forIsland("shanghai").calls().timeoutMillis())
                .isEqualTo(7000);
        assertThat(runtime.policy().forIsland("shanghai").calls().retries()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a=com.foo.Typo|the line \"a=com.foo.Typo\" cannot be used: |cause: com.foo.Typo",
                "com.foo.Typo|the line \"com.foo.Typo\" cannot be used: |cause: com.foo.Typo",
                "a=java.lang.String|the line \"a=java.lang.String\" cannot be used: |is not subtype of interface",
            })
    void failsStartUp_whenDubboWouldSkipALine(String line, String problem, String cause) throws Exception {
        HighwayRuntime runtime = runtime("META-INF/dubbo", line("b", OneSecond.class), line);

        assertThatThrownBy(runtime::policyIfEnabled).isInstanceOfSatisfying(HighwayConfigurationException.class, e -> {
            assertThat(e.problem()).startsWith(problem).contains(cause);
            assertThat(e.problem()).contains(folder + "/META-INF/dubbo/" + HighwayCustomizer.class.getName());
            assertThat(e.action()).contains("name=full.name.of.the.Class");
        });
    }

    @Test
    void failsStartUp_whenOneCannotBeCreated() throws Exception {
        HighwayRuntime runtime = runtime("META-INF/dubbo", line("a", Broken.class));

        assertThatThrownBy(runtime::policyIfEnabled)
                .isInstanceOf(HighwayConfigurationException.class)
                .hasMessageContaining(
                        "\"a\" cannot be created: java.lang.IllegalArgumentException: no table of islands");
    }

    @Test
    void theReportIsEmpty_untilTheConfigurationIsRead_andReadsNothing() throws Exception {
        assertThat(HighwayReport.of(application)).isEmpty();
        HighwayRuntime runtime = runtime("META-INF/dubbo", line("a", OneSecond.class));
        assertThat(HighwayReport.of(application)).isEmpty();

        assertThat(runtime.policyIfEnabled()).isNotNull();

        HighwayReport report = HighwayReport.of(application).orElseThrow();
        assertThat(report.islands().get("shanghai").settings().get("timeout").value())
                .isEqualTo("1s");

        application.destroy();

        assertThat(HighwayReport.of(application)).isEmpty();
    }

    @Test
    void appliesAClassOnce_whateverItsNames() throws Exception {
        HighwayRuntime runtime = runtime("META-INF/dubbo", line("a,b", Counting.class), line("c", Counting.class));

        assertThat(runtime.policyIfEnabled()).isNotNull();

        assertThat(Counting.applied).hasValue(1);
    }
}
