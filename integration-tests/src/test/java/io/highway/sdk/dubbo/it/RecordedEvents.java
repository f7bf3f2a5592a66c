// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.HighwayCustomizer;
import io.highway.sdk.dubbo.HighwaySetup;
import io.highway.sdk.dubbo.NetworkListener;
import io.highway.sdk.dubbo.OutcomeListener;
import io.highway.sdk.dubbo.TunnelKind;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import org.apache.dubbo.rpc.Invocation;

/** The events that a consumer's listeners have received. */
final class RecordedEvents implements HighwayCustomizer, OutcomeListener, NetworkListener {

    final Queue<CallOutcome> outcomes = new ConcurrentLinkedQueue<>();
    volatile BiConsumer<CallOutcome, Invocation> onEach = (outcome, invocation) -> {};
    final Queue<Switch> switches = new ConcurrentLinkedQueue<>();
    final Queue<Beat> beats = new ConcurrentLinkedQueue<>();
    final Queue<Breaker> breakers = new ConcurrentLinkedQueue<>();

    record Switch(String island, TunnelKind from, TunnelKind to) {}

    /** {@code roundTrip} is null if no answer came. */
    record Beat(String island, GatewayAddress gateway, Duration roundTrip) {}

    record Breaker(String island, boolean open) {}

    @Override
    public void customize(HighwaySetup setup) {
        setup.outcomeListener(this).networkListener(this);
    }

    @Override
    public void onOutcome(CallOutcome outcome, Invocation invocation) {
        outcomes.add(outcome);
        onEach.accept(outcome, invocation);
    }

    @Override
    public void onTunnelChange(TunnelChange change) {
        switches.add(new Switch(change.island(), change.from(), change.to()));
    }

    @Override
    public void onHealthCheck(HealthCheck check) {
        beats.add(new Beat(check.island(), check.gateway(), check.roundTrip()));
    }

    @Override
    public void onBreakerChange(BreakerChange change) {
        breakers.add(new Breaker(change.island(), change.isOpen()));
    }

    List<Duration> roundTrips() {
        return beats.stream().map(Beat::roundTrip).filter(Objects::nonNull).toList();
    }

    long missedBeats(String island) {
        return beats.stream()
                .filter(beat -> beat.island().equals(island) && beat.roundTrip() == null)
                .count();
    }
}
