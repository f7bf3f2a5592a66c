// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.highway.sdk.Caller;
import io.highway.sdk.Highway;
import io.highway.sdk.Island;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TunnelKind;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.opentest4j.TestAbortedException;

/** Each kind of call, without sockets. */
@HighwayTest(
        home = "zhejiang",
        islands = {"shanghai", "beijing", "guangzhou"},
        properties = {"highway.islands.beijing.tunnel=dubbo", "highway.islands.guangzhou.tunnel=http"})
class CallsTest {

    private static final Map<String, TunnelKind> TUNNELS =
            Map.of("shanghai", TunnelKind.TRIPLE, "beijing", TunnelKind.DUBBO, "guangzhou", TunnelKind.HTTP);

    @Island("shanghai")
    interface Calls {

        CompletableFuture<String> later(String text);

        String join(String... parts);

        String join(int number, long other, boolean is);

        default String twice(String text) {
            return "default";
        }

        Item item(Item item);

        void none();

        int number(Integer number);
    }

    static class Item implements Serializable {

        private static final long serialVersionUID = 1;
        String name;
    }

    static class Service implements Calls {

        @Override
        public CompletableFuture<String> later(String text) {
            return text.equals("bad")
                    ? CompletableFuture.failedFuture(new IllegalArgumentException("bad"))
                    : CompletableFuture.supplyAsync(() -> "later " + text);
        }

        @Override
        public String join(String... parts) {
            return String.join("-", parts);
        }

        @Override
        public String join(int number, long other, boolean is) {
            return number + "-" + other + "-" + is;
        }

        @Override
        public Item item(Item item) {
            if (item != null) {
                item.name = "changed";
            }
            return item;
        }

        @Override
        public void none() {}

        @Override
        public int number(Integer number) {
            return number == null ? -1 : number;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shanghai", "beijing", "guangzhou"})
    void carriesArgumentsAndAnswers(String island, Islands islands, Calls reference) {
        islands.at(island).serves(Calls.class, new Service());
        Calls calls = Highway.to(island).bind(Calls.class, reference);
        Item item = new Item();

        assertThat(calls.join("a", "b")).isEqualTo("a-b");
        assertThat(calls.join()).isEmpty();
        assertThat(calls.join(1, 2, true)).isEqualTo("1-2-true");
        assertThat(calls.twice("a")).isEqualTo("default");
        assertThat(calls.number(null)).isEqualTo(-1);
        assertThat(calls.item(null)).isNull();
        assertThat(calls.item(item).name).isEqualTo("changed");
        assertThat(item.name).isNull();
        calls.none();
        assertThat(islands.at(island).calls())
                .hasSize(8)
                .extracting(RecordedCall::tunnel)
                .containsOnly(TUNNELS.get(island));
        assertThat(islands.outcomes()).hasSize(8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"shanghai", "beijing", "guangzhou"})
    void answersAsynchronously(String island, Islands islands, Calls reference) throws Exception {
        islands.at(island).serves(Calls.class, new Service());
        Calls calls = Highway.to(island).bind(Calls.class, reference);

        assertThat(calls.later("a").get(3, TimeUnit.SECONDS)).isEqualTo("later a");
        assertThatThrownBy(() -> calls.later("bad").get(3, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseInstanceOf(IllegalArgumentException.class);
        Future<String> asked = RpcContext.getServiceContext().asyncCall(() -> calls.join("a", "b"));
        assertThat(asked.get(3, TimeUnit.SECONDS)).isEqualTo("a-b");
        RpcContext.getServiceContext().asyncCall(calls::none);
        assertThat(islands.at(island).calls())
                .extracting(RecordedCall::result)
                .containsExactly(
                        RecordedCall.Result.ANSWERED,
                        RecordedCall.Result.THREW,
                        RecordedCall.Result.ANSWERED,
                        RecordedCall.Result.ANSWERED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"shanghai", "beijing", "guangzhou", "zhejiang"})
    void answersGenericCalls(String island, Islands islands, Calls reference) {
        islands.at(island).serves(Calls.class, new Service());
        ReferenceConfig<GenericService> config = new ReferenceConfig<>();
        config.setScopeModel(islands.application().getDefaultModule());
        config.setInterface(Calls.class.getName());
        config.setGeneric("true");
        config.setUrl("dubbo://provider.test:20880");
        GenericService generic = config.get();

        Highway.to(island).run(() -> {
            assertThat(generic.$invoke("join", new String[] {"int", "long", "boolean"}, new Object[] {1, 2L, true}))
                    .isEqualTo("1-2-true");
            assertThat(generic.$invoke("item", new String[] {Item.class.getName()}, new Object[] {
                        new HashMap<>(Map.of("name", "a"))
                    }))
                    .isInstanceOf(Map.class);
        });
        assertThat(islands.at(island).calls(Calls.class)).hasSize(2);
        assertThat(islands.at(island).calls().get(0).call()).endsWith("#join");
    }

    @Island("shanghai")
    interface Chat {

        void list(String text, StreamObserver<String> answers);

        StreamObserver<String> talk(StreamObserver<String> answers);
    }

    @Test
    void carriesStreams(Islands islands, Chat chat) {
        islands.at("shanghai").serves(Chat.class, new Chat() {
            @Override
            public void list(String text, StreamObserver<String> answers) {
                answers.onNext(text + 1);
                answers.onNext(text + 2);
                answers.onCompleted();
            }

            @Override
            public StreamObserver<String> talk(StreamObserver<String> answers) {
                return new Received(new ArrayList<>()) {
                    @Override
                    public void onNext(String text) {
                        answers.onNext("echo " + text);
                    }

                    @Override
                    public void onCompleted() {
                        answers.onCompleted();
                    }
                };
            }
        });
        Received listed = new Received(new ArrayList<>());
        Received talked = new Received(new ArrayList<>());

        chat.list("a", listed);
        StreamObserver<String> talk = chat.talk(talked);
        talk.onNext("b");
        talk.onCompleted();

        assertThat(listed.events).containsExactly("a1", "a2", "end");
        assertThat(talked.events).containsExactly("echo b", "end");
        assertThat(islands.at("shanghai").calls(Chat.class)).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"beijing", "guangzhou"})
    void needsTriple_forStreams(String island, Islands islands, Chat chat) {
        assertThatThrownBy(() -> Highway.to(island).run(() -> chat.list("a", new Received(new ArrayList<>()))))
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NEEDS_TRIPLE));
        assertThat(islands.at(island).calls()).isEmpty();
    }

    private static class Received implements StreamObserver<String> {

        final List<String> events;

        Received(List<String> events) {
            this.events = events;
        }

        @Override
        public void onNext(String text) {
            events.add(text);
        }

        @Override
        public void onError(Throwable failure) {
            events.add(failure.toString());
        }

        @Override
        public void onCompleted() {
            events.add("end");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shanghai", "beijing", "guangzhou", "zhejiang"})
    void carriesAttachmentsBothWays(String island, Islands islands, SmsService reference) {
        islands.at(island).serves(SmsService.class, text -> {
            String asked = RpcContext.getServerAttachment().getAttachment("asked");
            RpcContext.getServerContext().setAttachment("answered", "by " + island);
            return asked;
        });

        Highway.to(island).run(() -> {
            RpcContext.getClientAttachment().setAttachment("asked", "question");
            assertThat(reference.send("a")).isEqualTo("question");
            assertThat(RpcContext.getServerContext().getAttachment("answered")).isEqualTo("by " + island);
            assertThat(reference.send("a")).isNull();
        });
        assertThat(islands.at(island).calls().get(0).attachments()).containsEntry("asked", "question");
    }

    @Test
    void callsFromWithinAService(Islands islands, SmsService reference) {
        List<String> callers = new ArrayList<>();
        islands.at("beijing").serves(SmsService.class, text -> {
            callers.add(Highway.caller().map(Caller::toString).orElse("none"));
            return text + " beijing";
        });
        islands.at("shanghai").serves(SmsService.class, text -> {
            RpcContext.getServerContext().setAttachment("answered", "shanghai");
            String answer = Highway.to("beijing").call(() -> reference.send(text + " shanghai"));
            callers.add(Highway.caller().map(Caller::toString).orElse("none"));
            return answer;
        });

        assertThat(reference.send("a")).isEqualTo("a shanghai beijing");
        assertThat(RpcContext.getServerContext().getAttachment("answered")).isEqualTo("shanghai");
        assertThat(callers).hasSize(2).doesNotContain("none");
        assertThat(Highway.caller()).isEmpty();
        assertThat(islands.outcomes()).hasSize(2);
    }

    interface Archive {

        String keep(String text);
    }

    @Test
    void hidesTheScopeOfTheCaller_fromAService(Islands islands, SmsService reference, Archive archive) {
        islands.home().serves(Archive.class, text -> "home");
        islands.at("shanghai").serves(SmsService.class, archive::keep).serves(Archive.class, text -> "shanghai");

        assertThat(Highway.to("shanghai").call(() -> reference.send("a"))).isEqualTo("home");
        assertThat(Highway.to("shanghai").call(() -> archive.keep("a"))).isEqualTo("shanghai");
    }

    @Test
    void countsCallsOfManyThreads(Islands islands, SmsService reference) throws Exception {
        islands.at("shanghai").serves(SmsService.class, text -> text);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<String>> answers = IntStream.range(0, 200)
                    .mapToObj(i -> threads.submit(() -> reference.send("text " + i)))
                    .toList();
            for (int i = 0; i < answers.size(); i++) {
                assertThat(answers.get(i).get(5, TimeUnit.SECONDS)).isEqualTo("text " + i);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(islands.at("shanghai").calls()).hasSize(200);
        assertThat(islands.outcomes()).hasSize(200);
    }

    interface NotSerializable {

        Object[] send(Object... any);
    }

    @ParameterizedTest
    @ValueSource(strings = {"shanghai", "beijing", "guangzhou"})
    void isNotSent_ifAnArgumentCannotBeWritten(String island, Islands islands, NotSerializable service) {
        islands.at(island).serves(NotSerializable.class, any -> new Object[] {new Thread()});

        Highway.to(island).run(() -> {
            assertThatThrownBy(() -> service.send(new Thread()))
                    .isInstanceOfSatisfying(HighwayException.class, e -> assertThat(e.mayHaveRun())
                            .isFalse());
            assertThatThrownBy(() -> service.send("a"))
                    .isInstanceOfSatisfying(HighwayException.class, e -> assertThat(e.mayHaveRun())
                            .isTrue());
        });
        assertThat(islands.at(island).calls()).hasSize(1);
    }

    interface Aborts {

        void abort() throws TestAbortedException;
    }

    @Test
    void trustsTheClassesOfItsInterfaces_besideOtherIslands() {
        try (Islands islands = Islands.builder().islands("shanghai").start()) {
            Aborts service = islands.reference(Aborts.class);
            islands.at("shanghai").serves(Aborts.class, () -> {
                throw new TestAbortedException("as asked");
            });

            assertThatThrownBy(() -> Highway.to("shanghai").run(service::abort))
                    .isInstanceOf(TestAbortedException.class)
                    .hasMessage("as asked");
        }
    }

    @Test
    void failsAtOnce_afterItsIslandsAreClosed() {
        Islands islands = Islands.builder().islands("shanghai").start();
        SmsService reference = islands.reference(SmsService.class);
        islands.at("shanghai").serves(SmsService.class, text -> text);
        assertThat(reference.send("a")).isEqualTo("a");
        islands.close();

        assertThatThrownBy(() -> reference.send("a"))
                .isInstanceOf(RuntimeException.class)
                .hasMessageContaining("destroyed");
        islands.close();
    }

    @Test
    void isNotLate_whereAnotherCallIs(Islands islands, SmsService sms) throws Exception {
        CompletableFuture<Void> arrived = new CompletableFuture<>();
        CompletableFuture<Void> lost = new CompletableFuture<>();
        islands.at("shanghai").serves(SmsService.class, text -> "ok").losesAnswers();
        islands.at("beijing").serves(SmsService.class, text -> {
            arrived.complete(null);
            lost.join();
            return "in time";
        });

        CompletableFuture<String> other =
                CompletableFuture.supplyAsync(() -> Highway.to("beijing").call(() -> sms.send("a")));
        arrived.get(3, TimeUnit.SECONDS);
        assertThat(FaultsTest.failure(sms).reason()).isEqualTo(Reason.TIMEOUT);
        lost.complete(null);

        assertThat(other.get(3, TimeUnit.SECONDS)).isEqualTo("in time");
    }

    @Test
    void isLate_whereTheTestMovesItsTimeMeanwhile(Islands islands, SmsService sms) {
        islands.at("shanghai").serves(SmsService.class, text -> {
            islands.advance(Duration.ofSeconds(3));
            return "late";
        });

        assertThat(FaultsTest.failure(sms).reason()).isEqualTo(Reason.TIMEOUT);
    }

    interface Asked {

        CompletableFuture<String> ask(String text);
    }

    @Test
    void isInTime_whereItBeginsAsAnotherIsLate(Islands islands, Asked asked) {
        islands.at("shanghai").serves(Asked.class, text -> new CompletableFuture<>());
        Asked inShanghai = Highway.to("shanghai").bind(Asked.class, asked);
        List<CompletableFuture<String>> later = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            CompletableFuture<String> unused =
                    inShanghai.ask("a").whenComplete((value, failure) -> later.add(inShanghai.ask("b")));
        }

        islands.advance(Duration.ofSeconds(3));

        assertThat(later).hasSize(50).noneMatch(CompletableFuture::isDone);
    }

    @Test
    void endsACall_asTheTestMovesItsTime(Islands islands, Asked asked) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        islands.at("shanghai").serves(Asked.class, text -> answer);
        CompletableFuture<String> call = Highway.to("shanghai").call(() -> asked.ask("a"));

        islands.advance(Duration.ofMillis(2_999));
        assertThat(call).isNotDone();
        islands.advance(Duration.ofMillis(1));

        assertThat(call).isCompletedExceptionally();
        answer.complete("late");
        assertThat(catchThrowable(call::get)).hasCauseInstanceOf(HighwayException.class);
        assertThat(islands.outcomes()).singleElement().satisfies(outcome -> assertThat(outcome.reason())
                .isEqualTo(Reason.TIMEOUT));
    }
}
