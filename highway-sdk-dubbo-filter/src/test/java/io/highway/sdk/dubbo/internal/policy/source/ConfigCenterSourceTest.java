// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.dubbo.HighwayReport.Policy.State;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.PolicyParser;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import io.highway.tools.fixtures.ports.FreePorts;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryNTimes;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.ConfigCenterConfig;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What each answer of a real config centre does; the config centre is a ZooKeeper. */
@Tag("network")
class ConfigCenterSourceTest {

    private static final String COMMON = "highway.policy";
    private static final String OWN = "highway.policy.shop";
    private static final AtomicInteger NAMESPACES = new AtomicInteger();

    @TempDir
    Path directory;

    /**
     * Of each test: Dubbo's ZooKeeper client keeps the nodes that are watched in a static map, and notifies only the
     * first listener of a path.
     */
    private final String namespace = "policy-" + NAMESPACES.incrementAndGet();

    private final List<String> swapped = new CopyOnWriteArrayList<>();
    private final List<FrameworkModel> frameworks = new CopyOnWriteArrayList<>();
    private TestingServer server;
    private int port;

    @BeforeEach
    void startServer() throws Exception {
        port = FreePorts.next();
        server = new TestingServer(new InstanceSpec(directory.resolve("zk").toFile(), port, -1, -1, false, -1), true);
    }

    @AfterEach
    void stop() throws Exception {
        frameworks.forEach(FrameworkModel::destroy);
        server.close();
    }

    /** Operators use another client than Dubbo. */
    private void operate(String key, Operation operation) {
        try (CuratorFramework operator =
                CuratorFrameworkFactory.newClient("registry.test:" + port, 15_000, 15_000, new RetryNTimes(20, 200))) {
            operator.start();
            operation.run(operator, "/" + namespace + "/config/dubbo/" + key);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private interface Operation {

        void run(CuratorFramework operator, String path) throws Exception;
    }

    private void publish(String text) {
        publish(COMMON, text);
    }

    private void publish(String key, String text) {
        operate(key, (operator, path) -> {
            byte[] content = text.getBytes(StandardCharsets.UTF_8);
            try {
                operator.setData().forPath(path, content);
            } catch (KeeperException.NoNodeException e) {
                operator.create().creatingParentsIfNeeded().forPath(path, content);
            }
        });
    }

    private void delete(String key) {
        operate(key, (operator, path) -> operator.delete().forPath(path));
    }

    private static String rule(String version) {
        return "version: %s\nislands:\n  shanghai: {timeout: 5s}\n".formatted(version);
    }

    /** A Dubbo application with this config centre, which records every active version. */
    private PolicyUpdater start(boolean check) {
        return start("shop", check);
    }

    private PolicyUpdater start(String name, boolean check) {
        FrameworkModel framework = new FrameworkModel();
        frameworks.add(framework);
        ApplicationModel application = framework.newApplication();
        application.modelEnvironment().initialize();
        application.modelEnvironment().updateAppConfigMap(Map.of("dubbo.service.shutdown.wait", "100"));
        ApplicationConfig config = new ApplicationConfig(name);
        config.setQosEnable(false);
        application.getApplicationConfigManager().setApplication(config);
        ConfigCenterConfig center = new ConfigCenterConfig();
        center.setAddress("zookeeper://" + (check ? "" : "ops:s3cret@") + "registry.test:" + port);
        center.setNamespace(namespace);
        center.setCheck(check);
        center.setTimeout(check ? 10_000L : 500L);
        application.getApplicationConfigManager().addConfigCenter(center);
        application.getDeployer().initialize();
        PolicyUpdater policy = new PolicyUpdater(application, 30_000, 200); // it answers late on a busy machine
        application.getBeanFactory().registerBean(policy);
        swapped.add(policy.start(configured(), null).version());
        policy.follow(next -> swapped.add(next.version()));
        return policy;
    }

    private Policy configured() {
        return PolicyParser.parse(
                        RawSettings.of(
                                Map.of(
                                        "highway.island", "zhejiang",
                                        "highway.gateways.triple", "gateway:50051",
                                        "highway.islands.shanghai.tunnel", "triple",
                                        "highway.policy.directory",
                                                directory.resolve("kept").toString()),
                                "application.yml"),
                        "static",
                        null)
                .orElseThrow();
    }

    private void awaitSwapped(String... versions) {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(swapped).containsExactly(versions));
    }

    /** What an operator or the server does, after v1 is active; after each, a new rule v2 must arrive. */
    enum Event {
        SAME_CONTENT {
            @Override
            void happen(ConfigCenterSourceTest test) {
                test.publish(rule("v1"));
            }
        },
        BLANK {
            @Override
            void happen(ConfigCenterSourceTest test) {
                test.publish("");
            }
        },
        DELETED {
            @Override
            void happen(ConfigCenterSourceTest test) {
                test.delete(COMMON);
            }
        },
        DELETED_AND_CREATED_AGAIN {
            @Override
            void happen(ConfigCenterSourceTest test) {
                test.delete(COMMON);
                test.publish(rule("v1"));
            }
        },
        WRONG {
            @Override
            void happen(ConfigCenterSourceTest test) {
                test.publish("islandz: {}");
            }
        },
        SERVER_RESTARTED {
            @Override
            void happen(ConfigCenterSourceTest test) throws Exception {
                test.server.restart();
            }
        };

        abstract void happen(ConfigCenterSourceTest test) throws Exception;
    }

    @ParameterizedTest
    @EnumSource
    void keepsTheRuleInForce_untilAnotherGoodOneIsPublished(Event event) throws Exception {
        publish(rule("v1"));
        PolicyUpdater policy = start(true);
        assertThat(swapped).containsExactly("v1");

        event.happen(this);
        switch (event) {
            case WRONG ->
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> policy.state().status() == State.REFUSED);
            case BLANK, DELETED ->
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> policy.state().problem() != null);
            default -> assertThat(policy.state().status()).isEqualTo(State.ACCEPTED);
        }
        assertThat(policy.state().version()).isEqualTo("v1");
        publish(rule("v2"));

        awaitSwapped("v1", "v2");
        assertThat(policy.state().status()).isEqualTo(State.ACCEPTED);
        assertThat(policy.state().problem()).isNull();
    }

    @Test
    void followsARuleThatIsPublishedLater_andARollback() {
        start(true);
        assertThat(swapped).containsExactly("static");

        publish(rule("v1"));
        awaitSwapped("static", "v1");
        publish(rule("v2"));
        awaitSwapped("static", "v1", "v2");
        publish(rule("v1"));

        awaitSwapped("static", "v1", "v2", "v1");
    }

    @Test
    void usesTheLastGoodRule_andSaysThatItIsNotFollowed_whenTheServerIsDownAtStart() throws Exception {
        publish(rule("v1"));
        start(true);
        Path kept = directory.resolve("kept").resolve("shop@zhejiang.yaml");
        await().atMost(Duration.ofSeconds(30)).until(() -> kept.toFile().exists());
        frameworks.remove(0).destroy();
        server.stop();
        swapped.clear();

        long before = System.nanoTime();
        PolicyUpdater policy = start(false);
        assertThat(swapped).containsExactly("v1");
        assertThat(policy.state().source()).isEqualTo("disk");
        assertThat(policy.state().problem())
                .contains("started without its config centre", "registry.test:" + port)
                .doesNotContain("s3cret");
        assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - before)).isLessThan(60);
    }

    @Test
    void reachesEachApplicationOfAProcess_thoughDubboNotifiesTheFirst() {
        start(true);
        start(true);
        swapped.clear();

        publish(rule("v1"));

        awaitSwapped("v1", "v1");
    }

    @Test
    void usesTheRuleOfTheApplication_beforeTheCommonOne() {
        publish(COMMON, rule("common-1"));
        publish(OWN, rule("canary-1"));
        PolicyUpdater policy = start(true);
        PolicyUpdater other = start("billing", true);

        assertThat(swapped).containsExactly("canary-1", "common-1");
        assertThat(policy.state().source()).isEqualTo("config-center:highway.policy.shop");
        assertThat(other.state().source()).isEqualTo("config-center");
        publish(COMMON, rule("common-2"));
        awaitSwapped("canary-1", "common-1", "common-2");
        publish(OWN, rule("canary-2"));
        awaitSwapped("canary-1", "common-1", "common-2", "canary-2");
        assertThat(other.state().version()).isEqualTo("common-2");
    }

    @Test
    void returnsToTheCommonRule_whenThatOfTheApplicationIsDeleted() {
        publish(COMMON, rule("common-1"));
        PolicyUpdater policy = start(true);
        publish(OWN, rule("canary-1"));
        awaitSwapped("common-1", "canary-1");

        delete(OWN);

        awaitSwapped("common-1", "canary-1", "common-1");
        assertThat(policy.state().source()).isEqualTo("config-center");
        assertThat(policy.state().problem()).isNull();
    }

    @Test
    void keepsTheLastRule_whenThatOfTheApplicationIsDeleted_andThereIsNoCommonOne() {
        publish(OWN, rule("canary-1"));
        PolicyUpdater policy = start(true);

        delete(OWN);

        await().atMost(Duration.ofSeconds(30)).until(() -> policy.state().problem() != null);
        assertThat(policy.state().problem()).isEqualTo("there is no rule");
        assertThat(swapped).containsExactly("canary-1");
        publish(COMMON, rule("common-1"));
        awaitSwapped("canary-1", "common-1");
    }

    @Test
    void keepsTheLastRule_whenTheRuleIsCertainlyGoneAtStart() {
        publish(rule("v1"));
        start(true);
        Path kept = directory.resolve("kept").resolve("shop@zhejiang.yaml");
        await().atMost(Duration.ofSeconds(30)).until(() -> kept.toFile().exists());
        frameworks.remove(0).destroy();
        delete(COMMON);
        swapped.clear();

        PolicyUpdater policy = start(true);

        assertThat(swapped).containsExactly("v1");
        assertThat(policy.state().source()).isEqualTo("disk");
        assertThat(kept).exists();
    }

    @Test
    @Tag("long")
    void saysThatTheServerIsGone_andKeepsTheRule() throws Exception {
        publish(OWN, rule("canary-1"));
        publish(COMMON, rule("common-1"));
        PolicyUpdater policy = start(true);

        server.stop();

        await().atMost(Duration.ofSeconds(90)).until(() -> policy.state().problem() != null);
        assertThat(policy.state().problem()).contains("does not answer");
        server.restart();
        await().atMost(Duration.ofSeconds(90)).until(() -> policy.state().problem() == null);
        assertThat(swapped).containsExactly("canary-1");
    }

    /** Nobody may read the application's rule: whether there is one is unknown. */
    @Test
    void neverUsesTheCommonRule_whileThatOfTheApplicationIsUnknown() {
        publish(COMMON, rule("common-1"));
        publish(OWN, rule("canary-1"));
        List<ACL> nobody = List.of(new ACL(ZooDefs.Perms.ADMIN, ZooDefs.Ids.ANYONE_ID_UNSAFE));
        operate(OWN, (operator, path) -> operator.setACL().withACL(nobody).forPath(path));
        PolicyUpdater policy = start(true);

        assertThat(swapped).containsExactly("static");
        assertThat(policy.state().problem()).contains("does not answer");
        operate(OWN, (operator, path) -> operator.setACL()
                .withACL(ZooDefs.Ids.OPEN_ACL_UNSAFE)
                .forPath(path));
        awaitSwapped("static", "canary-1");
    }
}
