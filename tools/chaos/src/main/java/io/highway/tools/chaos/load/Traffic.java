// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.load;

import io.highway.tools.chaos.account.Accounts;
import io.highway.tools.chaos.account.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A consumer per mode, and its load. */
public final class Traffic implements AutoCloseable {

    /** Requests have the dictionary when all answers of a minute have advertised it. */
    public static final Duration ADVERTISED = Duration.ofSeconds(65);

    private static final long BETWEEN_CALLS_MILLIS = 100;

    private final List<Consumer> consumers = new ArrayList<>();
    private final List<Load> loads = new ArrayList<>();

    private final Compression compression;
    private final Map<String, String> keys;
    private final String homeProvider;

    /** Makes no call yet; {@code keys} are those of all consumers, {@code highway.gateways.*} among them. */
    public Traffic(Compression compression, Map<String, String> keys, String homeProvider) {
        this.compression = compression;
        this.keys = keys;
        this.homeProvider = homeProvider;
        for (Mode mode : Mode.values()) {
            consumers.add(new Consumer(mode, compression, keys, homeProvider));
        }
    }

    /** The same with new consumers and other gateways; makes no call yet. */
    public Traffic fresh(Map<String, String> gateways) {
        Map<String, String> all = new HashMap<>(keys);
        all.putAll(gateways);
        return new Traffic(compression, all, homeProvider);
    }

    /** Waits until a few calls have been fast; a cold star is slow for reasons that are not measured here. */
    public void warmUp() {
        consumers.parallelStream().forEach(Consumer::warmUp);
    }

    /** Calls once in a while for so long, until requests are compressed with a dictionary. */
    public void warmUpDictionary(Duration time) throws InterruptedException {
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < time.toNanos()) {
            consumers.parallelStream().forEach(Consumer::call);
            TimeUnit.MILLISECONDS.sleep(BETWEEN_CALLS_MILLIS);
        }
    }

    /** Starts the calls. */
    public void begin(Accounts accounts, Pace pace) {
        for (Consumer consumer : consumers) {
            loads.add(new Load(consumer, accounts, pace));
        }
    }

    /** Makes no new calls for a while. */
    public void pause() {
        loads.forEach(Load::pause);
    }

    /** Continues after a pause. */
    public void resume() {
        loads.forEach(Load::resume);
    }

    /** Makes no new calls; those in flight continue. */
    public void end() {
        pause();
        loads.forEach(Load::close);
    }

    /** Ends the consumers, too. */
    @Override
    public void close() {
        end();
        consumers.forEach(Consumer::close);
    }
}
