// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.Caller;
import io.highway.sdk.Highway;
import io.highway.sdk.HighwayContext;
import io.highway.sdk.HighwayRoute;
import io.highway.sdk.HighwayScope;
import io.highway.sdk.InternalContexts;
import io.micrometer.context.ContextExecutorService;
import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

@SuppressWarnings("try") // scopes are there to be closed
class HighwayThreadLocalAccessorTest {

    private static final Duration SOON = Duration.ofSeconds(10);
    private static final Caller CALLER = Caller.of("beijing", "orders");

    private final ExecutorService pool = Executors.newSingleThreadExecutor();
    private final ContextSnapshotFactory snapshots =
            ContextSnapshotFactory.builder().build();

    /** The route of the current thread: an island, {@code home}, or {@code nothing}. */
    private static String holds() {
        HighwayRoute route = HighwayContext.capture().route();
        return route == null ? "nothing" : route.toString();
    }

    @AfterEach
    void nothingHasLeaked() throws Exception {
        try {
            assertThat(HighwayContext.capture().isEmpty()).isTrue();
            assertThat(pool.submit(() -> HighwayContext.capture().isEmpty()).get())
                    .isTrue();
            assertThat(new HighwayThreadLocalAccessor().getValue()).isNull();
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void isFoundByTheServiceLoader() {
        ContextRegistry registry = new ContextRegistry().loadThreadLocalAccessors();

        assertThat(registry.getThreadLocalAccessors())
                .filteredOn(accessor -> accessor.key().equals(HighwayThreadLocalAccessor.KEY))
                .singleElement()
                .isInstanceOf(HighwayThreadLocalAccessor.class);
    }

    @Test
    void aSnapshotCarriesAScopeToAnotherThread() throws Exception {
        ContextSnapshot snapshot = Highway.to("shanghai").call(() -> snapshots.captureAll());

        String there = pool.submit(snapshot.wrap(HighwayThreadLocalAccessorTest::holds))
                .get();

        assertThat(there).isEqualTo("shanghai");
    }

    @Test
    void aSnapshotCarriesHomeAndTheCaller() throws Exception {
        ContextSnapshot home = Highway.home().call(() -> snapshots.captureAll());
        ContextSnapshot served;
        try (HighwayScope request = InternalContexts.servedFor(CALLER, 2).open()) {
            served = snapshots.captureAll();
        }

        assertThat(pool.submit(home.wrap(HighwayThreadLocalAccessorTest::holds)).get())
                .isEqualTo("home");
        assertThat(pool.submit(served.wrap(Highway::caller)).get()).contains(CALLER);
        assertThat(pool.submit(served.wrap(() -> InternalContexts.hops(HighwayContext.capture())))
                        .get())
                .isEqualTo(2);
    }

    @Test
    void aSnapshotWithoutAScopeKeepsTheScope_orClearsItWhereConfigured() {
        ContextSnapshot empty = snapshots.captureAll();
        ContextSnapshot clearing =
                ContextSnapshotFactory.builder().clearMissing(true).build().captureAll();

        List<String> seen = Highway.to("shanghai").call(() -> {
            String left = scoped(empty);
            String cleared = scoped(clearing);
            return List.of(left, cleared, holds());
        });

        assertThat(seen).containsExactly("shanghai", "nothing", "shanghai");
    }

    private static String scoped(ContextSnapshot snapshot) {
        try (ContextSnapshot.Scope scope = snapshot.setThreadLocals()) {
            return holds();
        }
    }

    @Test
    void snapshotsNest_andEachRestoresWhatHeldBefore() {
        ContextSnapshot shanghai = Highway.to("shanghai").call(() -> snapshots.captureAll());
        ContextSnapshot home = Highway.home().call(() -> snapshots.captureAll());

        try (HighwayScope own = Highway.to("beijing").open()) {
            try (ContextSnapshot.Scope outer = shanghai.setThreadLocals()) {
                try (ContextSnapshot.Scope inner = home.setThreadLocals()) {
                    assertThat(holds()).isEqualTo("home");
                    assertThat(Highway.to("guangdong").call(HighwayThreadLocalAccessorTest::holds))
                            .isEqualTo("guangdong");
                }
                assertThat(holds()).isEqualTo("shanghai");
            }
            assertThat(holds()).isEqualTo("beijing");
        }
        assertThat(holds()).isEqualTo("nothing");
    }

    @Test
    void aScopeThatWasLeftOpenInside_endsWithTheSnapshot() {
        ContextSnapshot shanghai = Highway.to("shanghai").call(() -> snapshots.captureAll());

        HighwayScope leftOpen;
        try (ContextSnapshot.Scope scope = shanghai.setThreadLocals()) {
            leftOpen = Highway.to("beijing").open();
        }

        assertThat(holds()).isEqualTo("nothing");
        leftOpen.close();
        assertThat(holds()).isEqualTo("nothing");
    }

    @Test
    void anExecutorServiceCarriesTheScopeOfTheSubmittingThread() throws Exception {
        ExecutorService executor = ContextExecutorService.wrap(pool, () -> snapshots.captureAll());

        String shanghai = Highway.to("shanghai")
                .call(() -> executor.submit(HighwayThreadLocalAccessorTest::holds))
                .get(10, TimeUnit.SECONDS);
        String home = Highway.home()
                .call(() -> executor.submit(HighwayThreadLocalAccessorTest::holds))
                .get(10, TimeUnit.SECONDS);
        String nothing = executor.submit(HighwayThreadLocalAccessorTest::holds).get(10, TimeUnit.SECONDS);

        assertThat(List.of(shanghai, home, nothing)).containsExactly("shanghai", "home", "nothing");
    }

    @Test
    void reactorCarriesAScopeByItself_throughEveryThread() {
        Scheduler first = Schedulers.newSingle("first");
        Scheduler second = Schedulers.newSingle("second");
        Hooks.enableAutomaticContextPropagation();
        try {
            List<String> seen = Highway.to("shanghai")
                    .call(() -> Flux.fromStream(IntStream.range(0, 20).boxed())
                            .publishOn(first)
                            .map(i -> holds())
                            .flatMap(before -> Mono.fromCallable(() -> before + " " + holds())
                                    .subscribeOn(second))
                            .collectList()
                            .block(SOON));
            String home = Highway.home().call(() -> Mono.fromCallable(HighwayThreadLocalAccessorTest::holds)
                    .subscribeOn(first)
                    .block(SOON));
            List<String> afterwards = Flux.just(first, second)
                    .concatMap(scheduler -> Mono.fromCallable(HighwayThreadLocalAccessorTest::holds)
                            .subscribeOn(scheduler))
                    .collectList()
                    .block(SOON);

            assertThat(seen).hasSize(20).containsOnly("shanghai shanghai");
            assertThat(home).isEqualTo("home");
            assertThat(afterwards).containsExactly("nothing", "nothing");
        } finally {
            Hooks.disableAutomaticContextPropagation();
            first.dispose();
            second.dispose();
        }
    }

    @Test
    void reactorCarriesACapturedScope_whereItIsAskedTo() {
        Scheduler other = Schedulers.newSingle("other");
        try {
            Mono<String> handled = Mono.just("")
                    .publishOn(other)
                    .<String>handle((any, sink) -> sink.next(holds()))
                    .contextCapture();

            String inside = Highway.to("shanghai").call(() -> handled.block(SOON));
            String outside = handled.block(SOON);
            String afterwards = Mono.fromCallable(HighwayThreadLocalAccessorTest::holds)
                    .subscribeOn(other)
                    .block(SOON);

            assertThat(List.of(inside, outside, afterwards)).containsExactly("shanghai", "nothing", "nothing");
        } finally {
            other.dispose();
        }
    }
}
