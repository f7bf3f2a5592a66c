// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.PolicyParser;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.dubbo.common.config.configcenter.ConfigChangeType;
import org.apache.dubbo.common.config.configcenter.ConfigChangedEvent;
import org.apache.dubbo.common.config.configcenter.ConfigurationListener;
import org.apache.dubbo.common.config.configcenter.DynamicConfiguration;
import org.apache.dubbo.common.config.configcenter.wrapper.CompositeDynamicConfiguration;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the dynamic policy does with each answer of its source, without a network. */
@Tag("any-dubbo")
class PolicyUpdaterTest {

    @TempDir
    Path directory;

    private final FrameworkModel framework = new FrameworkModel();
    private final FakeCenter center = new FakeCenter();
    private final List<String> swapped = new CopyOnWriteArrayList<>();
    private final List<PolicyUpdater> started = new CopyOnWriteArrayList<>();

    /** A config centre whose answers the test gives. */
    private static final class FakeCenter implements DynamicConfiguration {

        final List<ConfigurationListener> listeners = new CopyOnWriteArrayList<>();
        volatile @Nullable String rule;
        volatile @Nullable String ofApplication;
        volatile @Nullable CountDownLatch frozen;
        volatile boolean isListenerFirst;
        final AtomicInteger reads = new AtomicInteger();
        volatile boolean refusesListeners;
        volatile boolean failsForTheApplication;
        volatile boolean fails;

        /** As Dubbo's client of ZooKeeper does. */
        volatile boolean reportsWhatIsThere;

        @Override
        public void addListener(String key, String group, ConfigurationListener listener) {
            if (refusesListeners) {
                throw new IllegalStateException("no session");
            }
            listeners.add(listener);
            if (reportsWhatIsThere && key.equals("highway.policy")) {
                report(key, rule);
            }
        }

        @Override
        public void removeListener(String key, String group, ConfigurationListener listener) {
            listeners.remove(listener);
        }

        @Override
        public @Nullable String getConfig(String key, String group, long timeout) {
            isListenerFirst = !listeners.isEmpty();
            reads.incrementAndGet();
            CountDownLatch wait = frozen;
            if (wait != null) {
                try {
                    wait.await();
                } catch (InterruptedException e) {
                    return null;
                }
            }
            if (fails || (failsForTheApplication && !key.equals("highway.policy"))) {
                throw new IllegalStateException("no permission");
            }
            return key.equals("highway.policy") ? rule : ofApplication;
        }

        @Override
        public @Nullable Object getInternalProperty(String key) {
            return null;
        }

        @Override
        public void close() {}

        /** Publishes without an event. */
        void set(@Nullable String text) {
            rule = text;
        }

        void publish(@Nullable String text) {
            rule = text;
            report("highway.policy", text);
        }

        void publishOfApplication(@Nullable String text) {
            ofApplication = text;
            report("highway.policy.shop", text);
        }

        private void report(String key, @Nullable String text) {
            new HashSet<>(listeners)
                    .forEach(listener -> listener.process(new ConfigChangedEvent(
                            key, "dubbo", text, text == null ? ConfigChangeType.DELETED : ConfigChangeType.ADDED)));
        }
    }

    /** The machine may be busy. */
    private int waitMillis = 20_000;

    @AfterEach
    void close() {
        started.forEach(PolicyUpdater::destroy);
        framework.destroy();
    }

    private Policy configured(String... lines) {
        Map<String, String> keys = new HashMap<>(Map.of(
                "highway.island", "zhejiang",
                "highway.gateways.triple", "gateway:50051",
                "highway.islands.shanghai.tunnel", "triple",
                "highway.policy.directory", directory.resolve("kept").toString(),
                "highway.policy.source", "config-center"));
        for (String line : lines) {
            keys.put("highway." + line.substring(0, line.indexOf('=')), line.substring(line.indexOf('=') + 1));
        }
        return PolicyParser.parse(RawSettings.of(keys, "application.yml"), "static", null)
                .orElseThrow();
    }

    /** Starts an application, and records every later version. */
    private PolicyUpdater start(String... lines) {
        ApplicationModel application = framework.newApplication();
        application.modelEnvironment().setDynamicConfiguration(center);
        PolicyUpdater policy = new PolicyUpdater(application, waitMillis, 100);
        started.add(policy);
        swapped.add(policy.start(configured(lines), null).version());
        policy.follow(next -> swapped.add(next.version()));
        return policy;
    }

    /** Of an application with a name, and so with a separate rule; not started. */
    private PolicyUpdater ofShop(long intervalMillis) {
        ApplicationModel application = framework.newApplication();
        application.modelEnvironment().setDynamicConfiguration(center);
        application.getApplicationConfigManager().setApplication(new ApplicationConfig("shop"));
        PolicyUpdater policy = new PolicyUpdater(application, waitMillis, intervalMillis);
        started.add(policy);
        return policy;
    }

    private static String rule(String version) {
        return "version: %s\nislands:\n  shanghai: {timeout: 5s}\n".formatted(version);
    }

    private void awaitSwapped(String... versions) {
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(swapped).containsExactly(versions));
    }

    private static void awaitState(PolicyUpdater policy, String word, String version) {
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            assertThat(policy.state().status()).hasToString(word);
            assertThat(policy.state().version()).isEqualTo(version);
        });
    }

    private Path kept() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("kept"))) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .findAny()
                    .orElseThrow();
        }
    }

    private void stopLast(String keptVersion) {
        awaitKept(keptVersion);
        started.get(started.size() - 1).destroy();
    }

    private void awaitKept(String version) {
        await().atMost(Duration.ofSeconds(20))
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(Files.readString(kept())).endsWith(rule(version)));
    }

    @Test
    void startsWithThePublishedRule_andListensBeforeItReads() {
        center.set(rule("v1"));

        PolicyUpdater policy = start();

        awaitSwapped("v1");
        assertThat(center.isListenerFirst).isTrue();
        assertThat(policy.state().status()).hasToString("accepted");
        assertThat(policy.state().hash()).isEqualTo(PolicyRule.hash(rule("v1")));
        assertThat(policy.state().source()).isEqualTo("config-center");
    }

    /** A centre whose client proves nothing, such as Apollo's. */
    @Test
    void usesTheCommonRule_whereACentreAnswersForItOnly() {
        center.set(rule("common-1"));
        PolicyUpdater policy = ofShop(100);
        swapped.add(policy.start(configured(), null).version());
        policy.follow(next -> swapped.add(next.version()));
        assertThat(swapped).containsExactly("common-1");

        center.publishOfApplication(rule("canary-1"));
        awaitSwapped("common-1", "canary-1");
        center.ofApplication = null; // lost without an event
        await().atMost(Duration.ofSeconds(20)).until(() -> policy.state().problem() != null);
        center.publish(rule("common-2"));
        assertThat(policy.state().source()).isEqualTo("config-center:highway.policy.shop");
        center.publishOfApplication(null);

        awaitSwapped("common-1", "canary-1", "common-2");
        await().atMost(Duration.ofSeconds(20)).until(() -> policy.state().problem() == null);
    }

    @Test
    void isNotFollowed_thoughTheCommonRuleChanges_whileThatOfTheApplicationCannotBeRead() {
        center.failsForTheApplication = true;
        PolicyUpdater policy = ofShop(100_000);
        policy.start(configured(), null);
        policy.follow(next -> swapped.add(next.version()));
        assertThat(policy.state().problem()).contains("no permission");

        center.publish(rule("common-1"));

        assertThat(policy.state().problem()).contains("no permission");
        assertThat(swapped).isEmpty();
    }

    @Test
    void waitsForTheRuleOfTheApplication_whenTheCommonOneIsReportedFirst() throws Exception {
        center.set(rule("common-1"));
        center.ofApplication = rule("canary-1");
        center.reportsWhatIsThere = true;
        CountDownLatch frozen = new CountDownLatch(1);
        center.frozen = frozen;
        PolicyUpdater policy = ofShop(100);

        CompletableFuture<Policy> first = CompletableFuture.supplyAsync(() -> policy.start(configured(), null));
        await().until(() -> center.reads.get() > 0);
        frozen.countDown();

        assertThat(first.get(20, TimeUnit.SECONDS).version()).isEqualTo("canary-1");
    }

    @Test
    void startsWithTheStaticConfiguration_whenNoRuleIsKnown() {
        PolicyUpdater policy = start();

        assertThat(policy.state().status()).hasToString("static");
        assertThat(policy.state().hash()).isNull();
        assertThat(policy.state().source()).isEqualTo("static");
        center.publish(rule("v1"));
        awaitSwapped("static", "v1");
    }

    @Test
    void followsNothing_whenTheSourceIsNone() {
        center.set(rule("v1"));

        PolicyUpdater policy = start("policy.source=none");

        awaitSwapped("static");
        assertThat(policy.state().status()).hasToString("static");
        assertThat(center.listeners).isEmpty();
    }

    @Test
    void refusesARuleAsAWhole_andKeepsWhatIsInForce() {
        center.set(rule("v1"));
        PolicyUpdater policy = start();

        center.publish("version: v2\nislands:\n  shanghai: {timeout: 9s}\n  beijing: {tunnel: dubo}\n");

        awaitState(policy, "refused", "v1");
        assertThat(policy.state().refusal()).isNotNull().satisfies(refusal -> {
            assertThat(refusal.version()).isEqualTo("v2");
            assertThat(refusal.key()).isEqualTo("highway.islands.beijing.tunnel");
            assertThat(refusal.origin()).isEqualTo("highway.policy, line 4");
            assertThat(refusal.reason()).contains("dubo", "auto");
        });
        center.publish(rule("v3"));
        awaitState(policy, "accepted", "v3");
        assertThat(policy.state().refusal()).isNotNull();
        awaitSwapped("v1", "v3");
    }

    /** These tests run without highway-sdk-http. */
    @Test
    void refusesARuleWithGatewaysOverHttp_withoutTheirArtifact() {
        center.set(rule("v1"));
        PolicyUpdater policy = start();

        center.publish("version: v2\ngateways:\n  http: gateway:8080\nislands:\n  shanghai: {timeout: 9s}\n");

        awaitState(policy, "refused", "v1");
        assertThat(policy.state().refusal()).isNotNull().satisfies(refusal -> {
            assertThat(refusal.version()).isEqualTo("v2");
            assertThat(refusal.key()).isEqualTo("highway.gateways.http");
            assertThat(refusal.origin()).isEqualTo("highway.policy, line 3");
            assertThat(refusal.reason()).contains("highway-sdk-http");
        });
    }

    @Test
    void refusesARule_whenItCannotBePutInForce() {
        ApplicationModel application = framework.newApplication();
        application.modelEnvironment().setDynamicConfiguration(center);
        PolicyUpdater policy = new PolicyUpdater(application, waitMillis, 100);
        started.add(policy);
        policy.start(configured(), null);
        policy.follow(next -> {
            throw new IllegalStateException("no connection");
        });

        center.publish(rule("v1"));

        awaitState(policy, "refused", "static");
        assertThat(policy.state().refusal()).isNotNull().satisfies(refusal -> assertThat(refusal.reason())
                .contains("no connection"));
    }

    /** As when a rule needs a protocol whose classes the application lacks. */
    @Test
    void followsOn_whenARuleCannotBePutInForceByAnError() {
        ApplicationModel application = framework.newApplication();
        application.modelEnvironment().setDynamicConfiguration(center);
        PolicyUpdater policy = new PolicyUpdater(application, waitMillis, 100);
        started.add(policy);
        policy.start(configured(), null);
        policy.follow(next -> {
            if (next.version().equals("v1")) {
                throw new NoClassDefFoundError("com/google/protobuf/Message");
            }
            swapped.add(next.version());
        });

        center.publish(rule("v1"));
        awaitState(policy, "refused", "static");
        assertThat(policy.state().refusal()).isNotNull().satisfies(refusal -> assertThat(refusal.reason())
                .contains("com/google/protobuf/Message"));

        center.publish(rule("v2"));
        awaitState(policy, "accepted", "v2");
    }

    @ParameterizedTest
    @ValueSource(classes = {StackOverflowError.class, OutOfMemoryError.class, AssertionError.class})
    void followsOn_whateverARuleThrows(Class<? extends Error> kind) throws Exception {
        ApplicationModel application = framework.newApplication();
        application.modelEnvironment().setDynamicConfiguration(center);
        PolicyUpdater policy = new PolicyUpdater(application, waitMillis, 100);
        started.add(policy);
        Error error = kind.getDeclaredConstructor().newInstance();
        policy.start(configured(), null);
        policy.follow(next -> {
            if (next.version().equals("v1")) {
                throw error;
            }
            swapped.add(next.version());
        });

        center.publish(rule("v1"));
        awaitState(policy, "refused", "static");
        assertThat(policy.state().refusal()).isNotNull().satisfies(refusal -> assertThat(refusal.reason())
                .contains(kind.getName()));

        center.publish(rule("v2"));
        awaitState(policy, "accepted", "v2");
        assertThat(policy.state().problem()).isNull();
    }

    /** The YAML library fails with an exception of another library. */
    @Test
    void refusesARule_thatNobodyCanRead_atTheStartToo() {
        String unreadable = "version: \"\\UFFFFFFFF\"";
        center.set(unreadable);

        PolicyUpdater policy = start();

        awaitState(policy, "refused", "static");
        assertThat(policy.state().refusal()).isNotNull().satisfies(refusal -> assertThat(refusal.reason())
                .contains("not valid YAML"));
        center.publish(rule("v2"));
        awaitState(policy, "accepted", "v2");
        center.publish(unreadable);
        awaitState(policy, "refused", "v2");
    }

    @Tag("network")
    @Test
    void refusesARule_thatNamesALocalFile_withoutReadingIt() throws Exception {
        Path fifo = directory.resolve("orders.dict");
        assumeTrue(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor() == 0);
        PolicyUpdater policy = start();

        center.publish(
                "version: v1\nislands:\n  shanghai: {compression: zstd, dictionary: 'file:%s'}\n".formatted(fifo));

        awaitState(policy, "refused", "static");
        assertThat(policy.state().refusal()).isNotNull().satisfies(refusal -> {
            assertThat(refusal.key()).isEqualTo("highway.islands.shanghai.dictionary");
            assertThat(refusal.origin()).isEqualTo("highway.policy, line 3");
        });
        center.publish(rule("v2"));
        awaitSwapped("static", "v2");
    }

    @Test
    void refusesARule_ofMoreIslandsThanAProcessCanHave() {
        PolicyUpdater policy = start();
        StringBuilder text = new StringBuilder("version: v1\ndefaults.deny: [");
        IntStream.range(0, 1_000).forEach(i -> text.append("method").append(i).append(','));
        text.append("]\nislands:\n");
        IntStream.range(0, 45_000).forEach(i -> text.append("  i").append(i).append(": {retries: 0}\n"));

        center.publish(text.toString());

        awaitState(policy, "refused", "static");
        assertThat(policy.state().refusal()).isNotNull().satisfies(refusal -> {
            assertThat(refusal.key()).isEqualTo("highway.islands");
            assertThat(refusal.origin()).isEqualTo("highway.policy, line 1004");
            assertThat(refusal.reason()).contains("more than 1000 islands");
        });
        center.publish(rule("v2"));
        awaitSwapped("static", "v2");
    }

    @Test
    void followsOn_whenItsThreadsAreInterrupted() {
        PolicyUpdater policy = start();

        Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("highway-background"))
                .forEach(Thread::interrupt);
        center.publish(rule("v1"));

        awaitState(policy, "accepted", "v1");
        awaitSwapped("static", "v1");
    }

    /** A listener may need a lock that another thread has while it adds a listener. */
    @Test
    void putsRulesInForce_andAddsListeners_whileAListenerIsBlocked() throws Exception {
        PolicyUpdater policy = start();
        CountDownLatch isBlocked = new CountDownLatch(1);
        CountDownLatch unblock = new CountDownLatch(1);
        List<String> reported = new CopyOnWriteArrayList<>();
        CompletableFuture<?> blocked = CompletableFuture.runAsync(() -> policy.onState(state -> {
            isBlocked.countDown();
            try {
                unblock.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
        isBlocked.await();

        CompletableFuture.runAsync(() -> policy.onState(state -> reported.add(state.version())))
                .get(20, TimeUnit.SECONDS);
        center.publish(rule("v1"));
        awaitState(policy, "accepted", "v1");
        assertThat(reported).isEmpty();

        unblock.countDown();
        blocked.get(20, TimeUnit.SECONDS);
        await().untilAsserted(() -> assertThat(reported).contains("v1"));
    }

    @Test
    void triesARuleAgain_thatCouldNotBePutInForce_whenItIsPublishedAgain() {
        ApplicationModel application = framework.newApplication();
        application.modelEnvironment().setDynamicConfiguration(center);
        PolicyUpdater policy = new PolicyUpdater(application, waitMillis, 100);
        started.add(policy);
        policy.start(configured(), null);
        AtomicBoolean isUsable = new AtomicBoolean();
        policy.follow(next -> {
            if (!isUsable.get()) {
                throw new IllegalStateException("another application uses the address with other TLS keys");
            }
        });
        center.publish(rule("v1"));
        awaitState(policy, "refused", "static");

        isUsable.set(true);
        center.publish(rule("v1"));

        awaitState(policy, "accepted", "v1");
    }

    @Test
    void acceptsAnOlderRule_asARollback() {
        center.set(rule("v1"));
        PolicyUpdater policy = start();
        center.publish(rule("v2"));
        awaitSwapped("v1", "v2");

        center.publish(rule("v1"));

        awaitSwapped("v1", "v2", "v1");
        awaitState(policy, "accepted", "v1");
    }

    @Test
    void returnsToAccepted_whenTheRuleInForceIsPublishedAfterARefusal() {
        center.set(rule("v1"));
        PolicyUpdater policy = start();
        center.publish("islandz: {}");
        awaitState(policy, "refused", "v1");

        center.publish(rule("v1"));

        awaitState(policy, "accepted", "v1");
        awaitSwapped("v1");
    }

    @Test
    void returnsToTheStaticConfiguration_onlyWhenTheRuleAsksForIt() {
        center.set(rule("v1"));
        PolicyUpdater policy = start();

        center.publish(null);
        await().until(() -> policy.state().problem() != null);
        center.publish("");
        center.publish("use-static: true\nversion: v2");

        awaitSwapped("v1", "v2");
        awaitState(policy, "accepted", "v2");
        assertThat(policy.state().problem()).isNull();
    }

    /** Of the next release, which has no Triple gateway any more, and whose last good rule needs one. */
    private PolicyUpdater ofNextRelease(String... lines) {
        center.set("version: v1\nislands:\n  shanghai: {tunnel: triple}\n");
        start();
        await().ignoreExceptions().until(() -> Files.readString(kept()).contains("tunnel: triple"));
        started.get(0).destroy();
        center.set(null);
        Map<String, String> released =
                new HashMap<>(configured(lines).settings().values());
        released.remove("highway.gateways.triple");
        released.putAll(Map.of("highway.gateways.dubbo", "gateway:20880", "highway.islands.shanghai.tunnel", "dubbo"));
        ApplicationModel application = framework.newApplication();
        application.modelEnvironment().setDynamicConfiguration(center);
        PolicyUpdater policy = new PolicyUpdater(application, waitMillis, 100);
        started.add(policy);
        Policy first = policy.start(
                PolicyParser.parse(RawSettings.of(released, "application.yml"), "static", null)
                        .orElseThrow(),
                null);
        assertThat(first.version()).isEqualTo("static");
        return policy;
    }

    @Test
    void saysThatTheLastGoodRuleDoesNotFit() {
        PolicyUpdater policy = ofNextRelease();

        assertThat(policy.state().problem())
                .contains("does not fit the static configuration: highway.islands.shanghai");
    }

    @Test
    void isStaticAgain_whenARuleThatWasRefusedIsDeleted() {
        PolicyUpdater policy = start();
        center.publish("version: bad\nislands: {shanghai: {tunnel: both}}");
        awaitState(policy, "refused", "static");

        center.publish(null);

        awaitState(policy, "static", "static");
        assertThat(policy.state().problem()).isNull();
    }

    @Test
    void isNoLongerRefused_whenTheRuleBecomesBlank() {
        center.set(rule("v1"));
        PolicyUpdater policy = start();
        center.publish("version: bad\nislands: {shanghai: {tunnel: both}}");
        awaitState(policy, "refused", "v1");

        center.publish(" ");

        awaitState(policy, "accepted", "v1");
        await().until(() -> "the published rule is blank".equals(policy.state().problem()));
    }

    /** A disk that was full for a while; the centre is read again and again. */
    @Test
    void keepsTheRuleOnDisk_onceItCanBeWritten() throws IOException {
        Path kept = directory.resolve("kept");
        Files.writeString(kept, "a file where the directory should be");
        center.set(rule("v1"));
        start();
        awaitSwapped("v1");

        Files.delete(kept);

        awaitKept("v1");
    }

    @Test
    void isNotFollowed_whenOneOfSeveralCentresFails() {
        CompositeDynamicConfiguration both = new CompositeDynamicConfiguration();
        FakeCenter failing = new FakeCenter();
        both.addConfiguration(center);
        both.addConfiguration(failing);
        center.set(rule("v1"));
        ApplicationModel application = framework.newApplication();
        application.modelEnvironment().setDynamicConfiguration(both);
        PolicyUpdater policy = new PolicyUpdater(application, waitMillis, 100);
        started.add(policy);
        assertThat(policy.start(configured(), null).version()).isEqualTo("v1");
        policy.follow(next -> swapped.add(next.version()));

        failing.fails = true;
        center.set(rule("v2"));

        await().untilAsserted(() -> assertThat(policy.state().problem()).contains("does not answer"));
        assertThat(policy.state().version()).isEqualTo("v1");
        failing.fails = false;
        awaitState(policy, "accepted", "v2");
    }

    /** One of several centres deletes a rule that the first one has. */
    @Test
    void asksAllCentres_whenOneReportsAnEvent() {
        FakeCenter other = new FakeCenter();
        center.set(rule("v1"));
        other.set(rule("v1"));
        CompositeDynamicConfiguration all = new CompositeDynamicConfiguration();
        all.addConfiguration(center);
        all.addConfiguration(other);
        ApplicationModel application = framework.newApplication();
        application.modelEnvironment().setDynamicConfiguration(all);
        PolicyUpdater policy = new PolicyUpdater(application, waitMillis, 60_000);
        started.add(policy);
        swapped.add(policy.start(configured(), null).version());
        policy.follow(next -> swapped.add(next.version()));
        IntSupplier reads = () -> center.reads.get() + other.reads.get(); // Dubbo asks them in any order
        await().until(() -> !other.listeners.isEmpty() && reads.getAsInt() > 0);
        int before = reads.getAsInt();

        other.publish(null);

        await().until(() -> reads.getAsInt() > before);
        center.publish(rule("v2"));
        awaitSwapped("v1", "v2");
    }

    @Test
    void startsInTime_withTheLastGoodRule_whenTheSourceDoesNotAnswer() {
        center.set(rule("v1"));
        start();
        stopLast("v1");
        CountDownLatch thaw = new CountDownLatch(1);
        center.frozen = thaw;
        center.set(rule("v2"));

        long before = System.nanoTime();
        waitMillis = 200;
        PolicyUpdater policy = start();
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before);

        assertThat(millis).isLessThan(5_000);
        assertThat(swapped).containsExactly("v1", "v1");
        assertThat(policy.state().source()).isEqualTo("disk");
        assertThat(policy.state().problem()).contains("did not answer within 200 ms");
        thaw.countDown();
        awaitSwapped("v1", "v1", "v2");
        assertThat(policy.state().source()).isEqualTo("config-center");
        assertThat(policy.state().problem()).isNull();
    }

    @Test
    void startsWithTheLastGoodRule_whenThePublishedOneIsWrong() {
        center.set(rule("v1"));
        start();
        stopLast("v1");
        center.set("islandz: {}");

        PolicyUpdater policy = start();

        assertThat(swapped).containsExactly("v1", "v1");
        assertThat(policy.state().status()).hasToString("refused");
        assertThat(policy.state().refusal()).isNotNull().satisfies(refusal -> assertThat(refusal.key())
                .isEqualTo("highway.islandz"));
    }

    @Test
    void readsAgain_beforeAndAfterTheListenerHasReportedAChange() {
        start();
        center.set(rule("v1")); // without an event
        awaitSwapped("static", "v1");

        center.publish(rule("v2"));
        awaitSwapped("static", "v1", "v2");

        center.set(rule("v3"));
        awaitSwapped("static", "v1", "v2", "v3");
    }

    @Test
    void reportsNoState_whenARuleIsReadAgainThatIsInForce() {
        center.publish(rule("v1"));
        PolicyUpdater policy = start();
        List<PolicyState> reported = new CopyOnWriteArrayList<>();
        policy.onState(reported::add);
        int before = center.reads.get();

        await().until(() -> center.reads.get() > before + 3);

        assertThat(reported).hasSize(1);
    }

    /** Dubbo's clients answer null if they cannot read, and report nothing. */
    @Test
    void saysThatTheSourceIsGone_andWhenItIsBack() {
        center.publish(rule("v1"));
        PolicyUpdater policy = start();
        assertThat(policy.unfollowedSeconds()).isZero();

        center.set(null);

        await().untilAsserted(() -> assertThat(policy.state().problem()).contains("does not answer"));
        await().untilAsserted(() -> assertThat(policy.unfollowedSeconds()).isPositive());
        assertThat(policy.state().version()).isEqualTo("v1");
        center.set(rule("v1"));
        await().untilAsserted(() -> assertThat(policy.state().problem()).isNull());
        assertThat(policy.unfollowedSeconds()).isZero();
        assertThat(swapped).containsExactly("v1");
    }

    @Test
    void triesAgain_andSaysSo_whenTheConfigCenterRefusesTheListener() {
        center.refusesListeners = true;
        center.set(rule("v1"));
        PolicyUpdater policy = start();
        assertThat(swapped).containsExactly("static");
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(policy.state().problem()).contains("no session"));

        center.refusesListeners = false;

        awaitSwapped("static", "v1");
        assertThat(policy.state().problem()).isNull();
        center.publish(rule("v2"));
        awaitSwapped("static", "v1", "v2");
    }

    @Test
    void keepsARule_whoseVersionLooksLikeAChecksum() throws IOException {
        String odd = "version: '# sha256 x'\nislands:\n  shanghai: {timeout: 5s}\n";
        center.set(odd);
        start();
        await().atMost(Duration.ofSeconds(20))
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(Files.readString(kept())).endsWith(odd));
        started.get(started.size() - 1).destroy();
        center.set(null);

        start();

        assertThat(swapped).containsExactly("# sha256 x", "# sha256 x");
    }

    @Test
    void neverUsesADamagedRuleFromDisk() throws IOException {
        center.set(rule("v1"));
        start();
        stopLast("v1");
        Files.writeString(kept(), Files.readString(kept()).replace("5s", "6s"));
        center.set(null);

        PolicyUpdater policy = start();

        assertThat(swapped).containsExactly("v1", "static");
        assertThat(policy.state().status()).hasToString("static");
    }

    /** Such as that of staging, in a directory that production has now. */
    @Test
    void neverUsesTheRuleOfAnotherSource() throws IOException {
        center.set(rule("v1"));
        start();
        stopLast("v1");

        waitMillis = 200;
        PolicyUpdater policy = start("policy.source=file:" + directory.resolve("none.yaml"));

        assertThat(swapped).containsExactly("v1", "static");
        assertThat(policy.state().status()).hasToString("static");
        stopLast("v1");
        start();
        assertThat(swapped).containsExactly("v1", "static", "v1");
    }

    @Test
    void keepsTheRuleForItsOwnerOnly_readable() throws IOException {
        center.set(rule("v1"));
        start();
        awaitKept("v1");

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("kept"))))
                .isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept())))
                .isEqualTo("rw-------");
        assertThat(kept().getFileName()).hasToString("unknown@zhejiang.yaml");
        assertThat(PolicyRule.versionOf(Files.readString(kept()))).isEqualTo("v1");
        try (Stream<Path> files = Files.list(directory.resolve("kept"))) {
            assertThat(files).hasSize(1);
        }
    }

    @Test
    void follows_whenTheDiskCannotBeWritten() throws IOException {
        Files.writeString(directory.resolve("kept"), "a file");
        center.set(rule("v1"));

        start();
        center.publish(rule("v2"));

        awaitSwapped("v1", "v2");
    }

    @Test
    void endsWithTheNewestOfManyRules() {
        start();

        for (int i = 0; i < 500; i++) {
            center.publish(rule("v" + i));
        }

        await().atMost(Duration.ofSeconds(20))
                .until(() -> swapped.get(swapped.size() - 1).equals("v499"));
        awaitKept("v499");
    }

    @Test
    void reportsTheNewestStateLast_toAListenerThatIsAddedDuringAChange() {
        PolicyUpdater policy = start();
        List<String> reported = new CopyOnWriteArrayList<>();
        CountDownLatch another = new CountDownLatch(1);

        policy.onState(state -> {
            if (state.version().equals("static")) {
                center.publish(rule("v1"));
                try {
                    boolean unused = another.await(500, TimeUnit.MILLISECONDS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            reported.add(state.version());
            another.countDown();
        });

        await().atMost(Duration.ofSeconds(20)).until(() -> reported.contains("v1"));
        assertThat(reported).startsWith("static").endsWith("v1");
    }

    @Test
    void endsItsThreads_whenTheApplicationStops() {
        PolicyUpdater policy = start();
        center.publish(rule("v1"));
        awaitSwapped("static", "v1");

        policy.destroy();

        await().atMost(Duration.ofSeconds(20)).until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("highway-background")));
        assertThat(center.listeners).isEmpty();
        awaitKept("v1");
    }

    @Test
    void followsAFile() throws IOException {
        Path file = directory.resolve("policy.yaml");
        Files.writeString(file, rule("v1"));
        PolicyUpdater policy = start("policy.source=file:" + file);
        awaitSwapped("v1");
        assertThat(policy.state().source()).isEqualTo("file:" + file);

        Files.writeString(file, rule("v2"));
        awaitSwapped("v1", "v2");
        Files.writeString(file, "islandz: {}");
        awaitState(policy, "refused", "v2");
        Files.delete(file);
        await().atMost(Duration.ofSeconds(20)).until(() -> policy.state().problem() != null);
        Files.writeString(file, rule("v3"));

        awaitSwapped("v1", "v2", "v3");
        assertThat(policy.state().problem()).isNull();
    }

    /** As the kubelet does: the file is a link into {@code ..data}, which is a link that is replaced. */
    @Test
    void followsAMountedConfigMap() throws IOException {
        Path first = Files.createDirectory(directory.resolve("..1"));
        Path second = Files.createDirectory(directory.resolve("..2"));
        Files.writeString(first.resolve("policy.yaml"), rule("v1"));
        Files.writeString(second.resolve("policy.yaml"), rule("v2"));
        Files.createSymbolicLink(directory.resolve("..data"), Path.of("..1"));
        Path file = Files.createSymbolicLink(directory.resolve("policy.yaml"), Path.of("..data", "policy.yaml"));
        start("policy.source=file:" + file);
        awaitSwapped("v1");

        Files.createSymbolicLink(directory.resolve("..data_tmp"), Path.of("..2"));
        Files.move(
                directory.resolve("..data_tmp"),
                directory.resolve("..data"),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);

        awaitSwapped("v1", "v2");
    }

    @Test
    void saysWhyAFileCannotBeRead() throws IOException {
        Path file = directory.resolve("policy.yaml");
        Files.writeString(file, rule("v1"));
        PolicyUpdater policy = start("policy.source=file:" + file);

        Files.delete(file);
        Files.createDirectory(file);
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(
                        () -> assertThat(policy.state().problem()).contains("policy.yaml", "not a regular file"));
        Files.delete(file);
        Files.writeString(file, rule("v2"));

        awaitSwapped("v1", "v2");
        assertThat(policy.state().problem()).isNull();
    }

    @Test
    void waitsForAFileThatDoesNotExistYet() throws IOException {
        Path file = directory.resolve("policy.yaml");
        PolicyUpdater policy = start("policy.source=file:" + file);
        assertThat(swapped).containsExactly("static");
        await().until(() -> ("there is no file:" + file).equals(policy.state().problem()));

        Files.writeString(file, rule("v1"));

        awaitSwapped("static", "v1");
        assertThat(policy.state().problem()).isNull();
    }

    @Test
    void isFollowed_whenARefusedRuleReturnsAfterABlankOne() {
        center.set(rule("v1"));
        PolicyUpdater policy = start();
        center.publish("islandz: {}");
        awaitState(policy, "refused", "v1");
        center.publish(" ");
        await().until(() -> policy.state().problem() != null);

        center.publish("islandz: {}");

        await().until(() -> policy.state().problem() == null);
        awaitState(policy, "refused", "v1");
    }

    @Test
    void isNotFollowed_whileTheRuleIsBlankFromTheStart() throws IOException {
        Path file = Files.writeString(directory.resolve("policy.yaml"), "\n");
        PolicyUpdater policy = start("policy.source=file:" + file);
        assertThat(policy.state().problem()).isEqualTo("the published rule is blank");

        Files.writeString(file, rule("v1"));

        awaitSwapped("static", "v1");
        await().until(() -> policy.state().problem() == null);
    }

    @Test
    void isNotFollowed_whileAReadHasNoEnd() {
        center.set(rule("v1"));
        waitMillis = 500;
        PolicyUpdater policy = start();
        assertThat(policy.state().problem()).isNull();
        CountDownLatch frozen = new CountDownLatch(1);

        center.frozen = frozen;

        await().until(() ->
                "the config centre does not answer".equals(policy.state().problem()));
        center.frozen = null;
        frozen.countDown();
        await().until(() -> policy.state().problem() == null);
        awaitSwapped("v1");
    }

    @Test
    void namesTheKeyInTheCopy_whoseRuleIsInForce() {
        center.set(rule("v1"));
        center.ofApplication = rule("v1");
        PolicyUpdater policy = ofShop(100);
        Policy unused = policy.start(configured(), null);
        policy.follow(next -> swapped.add(next.version()));
        awaitKeptFrom("config-center:highway.policy.shop");

        center.publishOfApplication(null);

        awaitKeptFrom("config-center");
        assertThat(swapped).isEmpty();
    }

    private void awaitKeptFrom(String source) {
        await().atMost(Duration.ofSeconds(20))
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(Files.readString(kept())).contains("from " + source + ".\n"));
    }

    @Test
    void leavesTheCopyOfAnotherSource_whenItsOwnRuleIsDeleted() throws IOException {
        center.set(rule("v1"));
        start();
        stopLast("v1");
        Path file = Files.writeString(directory.resolve("policy.yaml"), "islandz: {}");
        PolicyUpdater policy = start("policy.source=file:" + file);
        awaitState(policy, "refused", "static");

        Files.delete(file);

        awaitState(policy, "static", "static");
        assertThat(Files.readString(kept())).endsWith(rule("v1"));
    }
}
