// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.server;

import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import io.highway.sdk.dubbo.internal.network.compression.ZstdLibrary;
import io.highway.sdk.dubbo.internal.network.http2.CarriedHeaders;
import io.highway.sdk.dubbo.internal.policy.Dictionary;
import io.highway.sdk.dubbo.internal.policy.Policy;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.config.Environment;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.context.ConfigManager;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/**
 * Lets calls through gateways reach the Triple providers of an application with the SDK, where Dubbo 3.3 alone fails.
 * Other providers are unchanged.
 *
 * <ul>
 *   <li>Dubbo 3.3 starts a connection's window at 65536 ({@code TripleConfig}), one byte more than HTTP/2 defines; a
 *       proxy that raises it to the maximum, as nginx does with its first frame, overflows it, and Dubbo closes the
 *       connection. Dubbo 3.2 starts at 65535.
 *   <li>{@link RequestMessages} and {@link ServedAnswers}.
 *   <li>Windows go by {@code max-buffered}, instead of 8 MB for a stream and 16 MB for a connection: with larger windows
 *       peers could send more than that before they are held up. A stream has {@link MemoryBudget#streamWindow}, a
 *       connection the standard one, which {@link RequestMessages} raises. A frame has at most 16 KB.
 * </ul>
 */
public final class TripleServerCompatibility {

    private static final Logger log = LoggerFactory.getLogger(TripleServerCompatibility.class);

    /** RFC 9113, section 6.9.2. */
    private static final int STANDARD_WINDOW = 65_535;

    /** The standard, instead of 8 MB: Netty buffers a whole frame before anything can count it. */
    private static final int FRAME = 16 * 1024;

    /** Keys of Dubbo 3.2. */
    private static final String WINDOW_OF_STREAMS = "dubbo.rpc.tri.initial-window-size";

    private static final String FRAME_OF_ALL = "dubbo.rpc.tri.max-frame-size";

    private final Map<ApplicationModel, Function<String, @Nullable Dictionary>> dictionaries =
            new ConcurrentHashMap<>();

    /** Those that the guard has not seen yet, by their numbers. */
    private final Map<String, StreamedRequest> requests = new ConcurrentHashMap<>();

    /** Of these numbers: no peer can know one. */
    private final String secret = UUID.randomUUID() + "-";

    private final AtomicLong numbers = new AtomicLong();

    private final CarriedHeaders carried;

    /** The island of the process; null as long as no application of it has settings. */
    private volatile @Nullable String home;

    private final FrameworkModel framework;
    private volatile @Nullable RequestGate gate;

    private TripleServerCompatibility(FrameworkModel framework) {
        this.framework = framework;
        this.carried = CarriedHeaders.of(framework);
    }

    /** That of a framework. */
    public static TripleServerCompatibility of(FrameworkModel framework) {
        return framework
                .getBeanFactory()
                .getOrRegisterBean(TripleServerCompatibility.class, type -> new TripleServerCompatibility(framework));
    }

    /**
     * Prepares a server before its start.
     *
     * @param policy of the application
     * @param dictionaries the present dictionary of an island that calls, or null if it has none
     */
    public static void serveGateways(
            ApplicationModel application,
            ProtocolConfig protocol,
            Policy policy,
            Function<String, @Nullable Dictionary> dictionaries) {
        FrameworkModel framework = application.getFrameworkModel();
        of(framework).serve(application, policy, dictionaries);
        setWindows(application, protocol);
    }

    private void serve(
            ApplicationModel application, Policy policy, Function<String, @Nullable Dictionary> itsDictionaries) {
        home = policy.home();
        if (dictionaries.putIfAbsent(application, itsDictionaries) == null) {
            application.addDestroyListener(model -> dictionaries.remove(application));
        }
    }

    /** The guard, or null as long as no service is exported. */
    public @Nullable RequestGate gate() {
        RequestGate known = gate;
        if (known == null) {
            known = RequestGate.of(framework);
            gate = known;
        }
        return known;
    }

    /** A number for a request of a peer to which the guard is closed. */
    String newNumber() {
        return secret + numbers.incrementAndGet();
    }

    /** These requests by their numbers, until they end. */
    Map<String, StreamedRequest> requests() {
        return requests;
    }

    /** The request with this number, or null if it has ended. */
    public @Nullable StreamedRequest request(String number) {
        return requests.get(number);
    }

    /** Keeps out of answers what HTTP/2 cannot carry. */
    CarriedHeaders carried() {
        return carried;
    }

    /**
     * The encoding with the dictionary of an island that calls, or null if there is none here.
     *
     * @param from the value of {@code highway-from}, which begins with the island, or null
     */
    public @Nullable String dictionaryOf(@Nullable String from) {
        int slash = from == null ? -1 : from.indexOf('/');
        if (from != null && slash >= 0 && ZstdLibrary.isPresent()) {
            for (Function<String, @Nullable Dictionary> known : dictionaries.values()) {
                Dictionary dictionary = known.apply(from.substring(0, slash));
                if (dictionary != null) {
                    return dictionary.encoding();
                }
            }
        }
        return null;
    }

    /** Whether an application of the process has settings of the SDK. */
    public boolean serveGateways() {
        return home != null;
    }

    /** The island of the process. */
    public String home() {
        return Objects.requireNonNull(home);
    }

    /** Sets windows and the largest frame unless others are configured; by reflection, since Dubbo 3.2 has no such settings. */
    private static void setWindows(ApplicationModel application, ProtocolConfig protocol) {
        int ofStreams = windowOfStreams(application.getFrameworkModel());
        try {
            setWindows(protocol, ofStreams);
        } catch (ReflectiveOperationException e) {
            log.debug("highway: this Dubbo's Triple has no initial window to set: " + e);
            Environment settings = application.modelEnvironment();
            Map.of(WINDOW_OF_STREAMS, ofStreams, FRAME_OF_ALL, FRAME).forEach((key, value) -> {
                if (settings.getConfiguration().getString(key) == null) {
                    settings.updateAppConfigMap(Map.of(key, String.valueOf(value)));
                }
            });
        }
    }

    private static int windowOfStreams(FrameworkModel framework) {
        int window = MemoryBudget.of(framework).streamWindow();
        return window == MemoryBudget.STEP ? STANDARD_WINDOW : window;
    }

    /**
     * The same for a server whose protocol is set on {@code ServiceConfig} only: Dubbo 3.3 takes the settings of a new
     * connection from the application's protocol of that name, which is another object then.
     */
    public static void setWindows(URL server) {
        try {
            setWindows(
                    ConfigManager.class
                            .getMethod("getProtocolOrDefault", URL.class)
                            .invoke(null, server),
                    windowOfStreams(server.getOrDefaultFrameworkModel()));
        } catch (ReflectiveOperationException e) {
            log.debug("highway: this Dubbo has one window for all servers: " + e);
        }
    }

    private static void setWindows(Object protocol, int ofStreams) throws ReflectiveOperationException {
        Object triple = ProtocolConfig.class.getMethod("getTripleOrDefault").invoke(protocol);
        set(triple, "ConnectionInitialWindowSize", STANDARD_WINDOW);
        set(triple, "InitialWindowSize", ofStreams);
        set(triple, "MaxFrameSize", FRAME);
    }

    private static void set(Object triple, String name, int value) throws ReflectiveOperationException {
        if (triple.getClass().getMethod("get" + name).invoke(triple) == null) {
            triple.getClass().getMethod("set" + name, Integer.class).invoke(triple, value);
        }
    }
}
