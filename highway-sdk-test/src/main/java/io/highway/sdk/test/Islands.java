// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import io.highway.sdk.IslandId;
import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.HighwayCustomizer;
import io.highway.sdk.dubbo.HighwayExplain;
import io.highway.sdk.dubbo.IntentSource;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.background.ApplicationClock;
import io.highway.sdk.dubbo.internal.network.connection.GatewayClients;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.PolicyParser;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/**
 * Islands that a test controls: an application at home, whose references are tested, and the providers of other islands. Its
 * calls pass the whole SDK: intent, decision, policy, signature, guard, failover, fallback, classification and listeners. Only
 * connections are replaced, and time, unless they are {@link Builder#real}. Thread-safe.
 *
 * <p>Besides Dubbo's INFO lines about each application, at home and of each island that serves something, a log has:
 *
 * <ul>
 *   <li>INFO {@code highway: home <id>, gateways ...} of each application, and {@code gateway ... is up} of each test
 *   <li>what an operator would see of the faults: WARN {@code gateway ... is down (Connection refused by the test)}, {@code
 *       takes no calls for now}, {@code the guard refuses ...}, {@code is served at home}
 *   <li>Dubbo's WARN {@code dynamicConfiguration is null}; with {@code losesAnswers} or a long delay {@code almost (maybe
 *       already) timeout}; with {@code refuses} its ERROR {@code Got unchecked and undeclared exception}
 * </ul>
 *
 * Other lines above INFO are about the tested code and its configuration.
 */
public final class Islands implements AutoCloseable {

    /** What follows home's name in the address of its providers. */
    private static final String HOME = ".test:1";

    private static final String ISLANDS = "highway.islands.";

    /** The key of the island at home. */
    static final String HOME_KEY = "highway.island";

    /** The key of the interval of health checks. */
    static final String CHECKS = "highway.heartbeat.interval";

    private final Map<String, Providers> providers = new HashMap<>();
    private final Map<Class<?>, Object> references = new ConcurrentHashMap<>();
    private final List<CallOutcome> outcomes = new CopyOnWriteArrayList<>();
    private final FrameworkModel framework;
    private final Set<FrameworkModel> frameworks = new LinkedHashSet<>();
    private final @Nullable ManualClock clock;
    private final String home;
    private final Map<String, String> keys;
    private final ApplicationModel application;
    private final HighwayRuntime runtime;
    private final Endpoints endpoints;

    /** The class whose tests use them; null unless several may. */
    private @Nullable Class<?> user;

    /** Whether no test of the class has begun. */
    private boolean isFresh = true;

    /** How often a policy has replaced that of the first test. */
    private int swaps;

    /** The policy of the first test. */
    private @Nullable Policy configured;

    /** The policy versions of earlier tests, whose calls may end late. */
    private final Set<String> ended = ConcurrentHashMap.newKeySet();

    /** The test that has begun. */
    private final AtomicReference<@Nullable String> running = new AtomicReference<>();

    /** @param isHosted whether another container starts the application at home, with the {@link #keys} */
    private Islands(Builder settings, boolean isHosted) {
        settings.requireDeclared();
        this.home = settings.home;
        this.clock = settings.real ? null : new ManualClock();
        this.framework = new FrameworkModel();
        Network network = new Network(home + HOME, clock);
        framework.getBeanFactory().registerBean(network);
        if (!settings.real) {
            GatewayClients.of(framework).protocol(Network.NAME);
        }
        try {
            startProviders(settings, network);
        } catch (RuntimeException | Error e) {
            closeProviders();
            throw e;
        }
        this.keys = settings.properties(home);
        keys.put(HOME_KEY, home);
        keys.putIfAbsent(CHECKS, "none"); // they run in the background, and would end what a test has begun
        keys.putAll(gateways(List.copyOf(keys.keySet())));
        providers.put(home, new Providers(home, true, false, keys, framework, network));
        this.application = framework.defaultApplication();
        if (!isHosted) {
            DubboApplication.configure(application, "test", keys, List.of());
        }
        if (clock != null) {
            ApplicationClock.of(application).follow(clock);
        }
        HighwayCustomizer listening = setup -> setup.outcomeListener((outcome, call) -> {
            if (outcome.policyVersion() == null || !ended.contains(outcome.policyVersion())) {
                outcomes.add(outcome);
            }
        });
        application.getBeanFactory().registerBean(listening);
        this.runtime = HighwayRuntime.of(application);
        this.endpoints = new Endpoints(runtime);
    }

    private void startProviders(Builder settings, Network network) {
        for (String island : settings.islands) {
            if (island.equals(home) || providers.containsKey(island)) {
                throw new IllegalArgumentException(
                        "islands: \"" + island + "\" is not allowed; it is home, or named twice");
            }
            FrameworkModel ofIsland = settings.real ? new FrameworkModel() : framework;
            frameworks.add(ofIsland);
            providers.put(
                    island,
                    new Providers(island, false, settings.real, settings.properties(island), ofIsland, network));
        }
    }

    /** The keys of the application at home. */
    Map<String, String> keys() {
        return keys;
    }

    /** The keys by which calls find the gateways of islands, and of services there that are configured with their own. */
    Map<String, String> gateways(Collection<String> configured) {
        Map<String, String> keys = new HashMap<>();
        providers.forEach((island, ofIsland) -> {
            if (!island.equals(home)) {
                keys.putAll(ofIsland.gateways());
                configured.stream()
                        .filter(key -> key.startsWith(ISLANDS + island + ".services."))
                        .forEach(key -> ofIsland.gateways().forEach((of, address) -> {
                            if (key.endsWith(of.substring((ISLANDS + island).length()))) {
                                keys.put(key, address);
                            }
                        }));
            }
        });
        return keys;
    }

    /** {@return a builder of islands} */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * An island.
     *
     * @param island its id
     * @return the island
     * @throws IllegalArgumentException if it was not declared
     */
    public TestIsland at(String island) {
        return new TestIsland(endpoints, providers(island), null);
    }

    /** {@return the providers of home} */
    public TestIsland home() {
        return at(home);
    }

    private Providers providers(String island) {
        Providers known = providers.get(island);
        if (known == null) {
            throw new IllegalArgumentException(
                    "island: \"" + island + "\" is not declared; the test has " + new TreeSet<>(providers.keySet()));
        }
        return known;
    }

    /**
     * A reference of the application at home; the same for the same interface.
     *
     * @param <T> the interface
     * @param type the interface
     * @return the reference
     */
    public <T> T reference(Class<T> type) {
        return type.cast(references.computeIfAbsent(type, any -> DubboApplication.refer(application, type)));
    }

    /** {@return the application at home} */
    public ApplicationModel application() {
        return application;
    }

    /**
     * Moves the time of the application: deadlines, breakers, health checks, pauses between connection attempts, and
     * asynchronous calls in flight, which end in the order of their times, on this thread.
     *
     * @param time by how much
     * @throws IllegalArgumentException if it is negative
     * @throws IllegalStateException with real connections
     */
    public void advance(Duration time) {
        if (clock == null) {
            throw new IllegalStateException("time passes by itself with real connections; leave real out");
        }
        clock.advance(TestIsland.requireNotNegative(time));
    }

    /** {@return how calls for islands have ended for their callers since the test has begun, in this order} */
    public List<CallOutcome> outcomes() {
        return List.copyOf(outcomes);
    }

    /**
     * A test begins: nothing is served, recorded or broken.
     *
     * @throws IllegalStateException if another one has not ended
     */
    void begin(String id) {
        if (!running.compareAndSet(null, id)) {
            throw isUsed(id);
        }
        try {
            if (isFresh) {
                verify(); // what was called before
            }
            reset();
        } catch (RuntimeException | Error e) {
            end(id);
            throw e;
        }
    }

    /**
     * Begins another test: nothing is served, recorded or broken but what was before the first one. The first call keeps
     * that for each test. The extension calls it before each method.
     */
    public void reset() {
        if (isFresh) {
            isFresh = false;
            outcomes.clear();
            providers.values().forEach(Providers::keep);
        } else {
            replace(Providers::begin);
        }
    }

    /** A class uses islands that others may have used: what it serves before its first test is served in its tests only. */
    synchronized void usedBy(Class<?> test) {
        if (test.equals(user) || running.get() != null) {
            return;
        }
        if (user == null) {
            providers.values().forEach(Providers::keep); // for each class
        } else { // what the class before has served is served no more
            providers.values().forEach(Providers::leave);
            replace(Providers::begin);
        }
        providers.values().forEach(Providers::enter);
        user = test;
        isFresh = true;
    }

    private IllegalStateException isUsed(String id) {
        return new IllegalStateException("tests with the same islands run at the same time: " + running.get() + " and "
                + id + "; write @Execution(ExecutionMode.SAME_THREAD) on each of their classes");
    }

    /**
     * A nested class begins: what it serves before its first test, it serves in its tests only.
     *
     * @throws IllegalStateException if a test has not ended
     */
    synchronized void enter(String id) {
        if (running.get() != null) {
            throw isUsed(id);
        }
        if (isFresh) {
            providers.values().forEach(Providers::keep);
        } else {
            replace(Providers::begin);
        }
        providers.values().forEach(Providers::enter);
        isFresh = true;
    }

    /** The nested class that has begun last has ended. */
    synchronized void leave() {
        providers.values().forEach(Providers::leave);
        isFresh = false;
    }

    private void replace(Consumer<Providers> begin) {
        boolean isEnabled = runtime.policyIfEnabled() != null;
        if (isEnabled) {
            Policy first = configured == null ? runtime.policy() : configured;
            configured = first;
            ended.add(swaps == 0 ? first.version() : "test-" + swaps);
            swaps++;
        }
        endCalls();
        outcomes.clear();
        providers.values().forEach(begin);
        if (isEnabled) {
            runtime.destinations().connections().grace(Duration.ZERO); // those of the last test are of no use
            Policy first = Objects.requireNonNull(configured);
            RawSettings settings = RawSettings.of(
                            gateways(first.settings().byKey().keySet()), "the test")
                    .over(first.settings());
            runtime.swap(
                    PolicyParser.parse(settings, "test-" + swaps, first::islandOfKey) // by the application's resolver
                            .orElseThrow());
        }
    }

    /** A test has ended. */
    void end(String id) {
        if (running.compareAndSet(id, null)) {
            endCalls();
        }
    }

    /** Those in flight. */
    private void endCalls() {
        if (clock != null) {
            clock.endAll();
        }
    }

    /**
     * Checks that calls asked only for declared islands.
     *
     * @throws AssertionError if a call did not, with what it asked for and why it was refused
     */
    public void verify() {
        for (CallOutcome outcome : outcomes) {
            String island = outcome.island();
            String asked = island != null ? island : outcome.intent().asked(); // no policy knows the island
            if (asked != null && !providers.containsKey(asked)) {
                throw new AssertionError(undeclared(outcome, asked));
            }
        }
    }

    private String undeclared(CallOutcome outcome, String asked) {
        HighwayExplain.Call call = HighwayExplain.Call.of(outcome.interfaceName(), outcome.methodName());
        boolean isKey = outcome.intent().source() == IntentSource.KEY && outcome.island() == null;
        String why = HighwayExplain.of(application(), isKey ? call.key(asked) : call.scope(asked)).stream()
                .map(HighwayExplain::why)
                .findFirst()
                .orElse("");
        return outcome.call() + " asked for " + outcome.intent() + ", which the test does not declare: " + why
                + ". Declare it, correct the code, or call islands.reset() after it, if the test is about that";
    }

    @Override
    public void close() {
        endCalls();
        application.destroy(); // first, as its connections end with it
        closeProviders();
    }

    private void closeProviders() {
        framework.destroy();
        providers.values().forEach(Providers::close);
        frameworks.forEach(FrameworkModel::destroy);
    }

    /** The settings of {@link Islands}. Not thread-safe. */
    public static final class Builder {

        private String home = "home";
        private List<String> islands = List.of();
        private boolean real;
        private final Map<String, String> ofHome = new HashMap<>();
        private final Map<String, Map<String, String>> properties = new HashMap<>();

        private Builder() {}

        /**
         * The island of the tested code; {@code home} unless set.
         *
         * @param island its id
         * @return this builder
         * @throws IllegalArgumentException if it is not an island's id
         */
        public Builder home(String island) {
            home = IslandId.requireValid("home", island);
            return this;
        }

        /**
         * The other islands.
         *
         * @param names their ids
         * @return this builder
         * @throws IllegalArgumentException if one is not an island's id
         */
        public Builder islands(String... names) {
            islands = Stream.of(names)
                    .map(name -> IslandId.requireValid("islands", name))
                    .toList();
            return this;
        }

        /**
         * A setting of the application at home.
         *
         * @param key such as {@code highway.islands.shanghai.fallback}
         * @param value its value
         * @return this builder
         * @throws IllegalArgumentException if it is not a key of highway or Dubbo
         */
        public Builder property(String key, String value) {
            return property(home, key, value);
        }

        /**
         * A setting of the providers of an island.
         *
         * @param island the island's id
         * @param key such as {@code highway.guard.mode}
         * @param value its value
         * @return this builder
         * @throws IllegalArgumentException if it is not a key of highway or Dubbo
         */
        public Builder property(String island, String key, String value) {
            boolean isHome = island.equals(home) && key.equals(HOME_KEY);
            if (isHome || !key.matches("(highway|dubbo)\\.\\S+")) {
                throw new IllegalArgumentException("properties: \"" + key + "\" is not allowed; "
                        + (isHome
                                ? "the island of the test's home is its home"
                                : "write a key that begins with highway. or dubbo., without blanks"));
            }
            (island.equals(home) ? ofHome : properties.computeIfAbsent(island, any -> new HashMap<>())).put(key, value);
            return this;
        }

        private Map<String, String> properties(String island) {
            Map<String, String> all = new HashMap<>(island.equals(home) ? ofHome : Map.of());
            all.putAll(properties.getOrDefault(island, Map.of()));
            return all;
        }

        private void requireDeclared() {
            Set<String> declared = new TreeSet<>(islands);
            declared.add(home);
            Stream<String> inKeys = properties(home).keySet().stream()
                    .filter(key -> key.startsWith(ISLANDS) && !islands.isEmpty())
                    .map(key -> key.substring(ISLANDS.length()).split("\\.", 2)[0]);
            Stream.concat(properties.keySet().stream(), inKeys)
                    .filter(island -> !declared.contains(island))
                    .findFirst()
                    .ifPresent(island -> {
                        throw new IllegalArgumentException(
                                "properties: island \"" + island + "\" is not declared; the test has " + declared);
                    });
        }

        /**
         * Uses real connections, to real providers. Without, a provider runs on its caller's thread, also in an asynchronous
         * call.
         *
         * @param isReal whether connections are real
         * @return this builder
         */
        public Builder real(boolean isReal) {
            real = isReal;
            return this;
        }

        /** {@return islands, started with these settings} */
        public Islands start() {
            return new Islands(this, false);
        }

        /** Starts them for an application that a container starts. */
        Islands startHosted() {
            return new Islands(this, true);
        }
    }
}
