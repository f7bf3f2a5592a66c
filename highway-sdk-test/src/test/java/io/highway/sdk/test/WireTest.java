// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.StringValue;
import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.Reason;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import org.apache.dubbo.common.Version;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.RpcContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Triple and the Dubbo protocol do to a call: the same without sockets. */
abstract class WireTest {

    private static final boolean IS_3_3 = Version.getVersion().startsWith("3.3");

    @HighwayTest(
            home = "zhejiang",
            islands = {"shanghai", "beijing", "guangzhou"},
            properties = {
                "highway.defaults.max-request-size=2KB",
                "highway.islands.shanghai.fallback=home",
                "highway.islands.shanghai.tunnel=triple",
                "highway.islands.beijing.tunnel=dubbo",
                "highway.islands.guangzhou.tunnel=http",
                "shanghai:dubbo.provider.filter=kit-refusing",
                "beijing:dubbo.provider.filter=kit-refusing",
                "guangzhou:dubbo.provider.filter=kit-refusing"
            })
    static class WithoutSocketsTest extends WireTest {}

    @Tag("network")
    @HighwayTest(
            home = "zhejiang",
            islands = {"shanghai", "beijing", "guangzhou"},
            real = true,
            properties = {
                "highway.defaults.max-request-size=2KB",
                "highway.islands.shanghai.fallback=home",
                "highway.islands.shanghai.tunnel=triple",
                "highway.islands.beijing.tunnel=dubbo",
                "highway.islands.guangzhou.tunnel=http",
                "shanghai:dubbo.provider.filter=kit-refusing",
                "beijing:dubbo.provider.filter=kit-refusing",
                "guangzhou:dubbo.provider.filter=kit-refusing"
            })
    static class RealTest extends WireTest {}

    /** What a service sees of an attachment. */
    private static String seen(Object value) {
        return value == null ? "nothing" : value.getClass().getSimpleName() + " " + value;
    }

    @ParameterizedTest
    @ValueSource(strings = {"shanghai", "beijing", "guangzhou"})
    void carriesAttachments(String island, Islands islands, SmsService sms) {
        List<String> seen = new ArrayList<>();
        islands.at(island).serves(SmsService.class, text -> {
            for (String name : List.of("text", "number", "list", "when")) {
                seen.add(seen(RpcContext.getServerAttachment().getObjectAttachment(name)));
            }
            RpcContext.getServerContext().setObjectAttachment("number", 4);
            return text;
        });

        Highway.to(island).run(() -> {
            RpcContext.getClientAttachment().setAttachment("text", "v中");
            RpcContext.getClientAttachment().setObjectAttachment("number", 3);
            RpcContext.getClientAttachment().setObjectAttachment("list", new ArrayList<>(List.of("a")));
            RpcContext.getClientAttachment().setObjectAttachment("when", new Date(0));
            assertThat(sms.send("a")).isEqualTo("a");
        });

        boolean isTriple = island.equals("shanghai");
        assertThat(seen)
                .containsExactlyElementsOf(
                        isTriple
                                ? List.of(
                                        "String v?",
                                        "String 3",
                                        "nothing",
                                        IS_3_3 ? "String Thu, 01 Jan 1970 00:00:00 GMT" : "nothing")
                                : List.of("String v中", "Integer 3", "ArrayList [a]", seen(new Date(0))));
        assertThat(seen(RpcContext.getServerContext().getObjectAttachment("number")))
                .isEqualTo(isTriple ? "String 4" : "Integer 4");
    }

    @ParameterizedTest
    @ValueSource(strings = {"shanghai", "beijing", "guangzhou"})
    void refusesALargeRequest(String island, Islands islands, SmsService sms) {
        islands.at(island).serves(SmsService.class, text -> "ok");

        Highway.to(island).run(() -> {
            assertThat(sms.send("a".repeat(1_000))).isEqualTo("ok");
            HighwayException failure = catchThrowableOfType(HighwayException.class, () -> sms.send("a".repeat(3_000)));
            assertThat(failure.reason()).isEqualTo(Reason.TOO_LARGE);
            assertThat(failure.mayHaveRun()).isFalse();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"shanghai", "beijing", "guangzhou"})
    void losesALargeAnswer(String island, Islands islands, SmsService sms) {
        islands.at(island).serves(SmsService.class, text -> "a".repeat(9_000_000));

        Throwable failure = catchThrowable(() -> Highway.to(island).run(() -> sms.send("a")));

        if (island.equals("shanghai") && !IS_3_3) {
            assertThat(failure).isNull();
            return;
        }
        assertThat(failure).isInstanceOfSatisfying(HighwayException.class, e -> {
            assertThat(e.reason()).isEqualTo(island.equals("shanghai") ? Reason.REMOTE_FAILURE : Reason.SERIALIZATION);
            assertThat(e.mayHaveRun()).isTrue();
        });
    }

    /** Dubbo's servers of Triple answer it as an exception of the service, from 3.3 on. */
    @ParameterizedTest
    @ValueSource(strings = {"shanghai", "beijing", "guangzhou"})
    void endsACall_thatAFilterOfTheProviderEnds(String island, Islands islands, SmsService sms) {
        islands.at(island).serves(SmsService.class, text -> "ok");

        assertThat(catchThrowable(() -> Highway.to(island).run(() -> sms.send("refused"))))
                .isExactlyInstanceOf(
                        island.equals("shanghai") && IS_3_3 ? IllegalStateException.class : HighwayException.class)
                .hasMessageContaining("by the filter");
    }

    /** With messages of Protocol Buffers, but without a generated stub. */
    interface Greeter {

        StringValue greet(StringValue name);
    }

    private static StringValue value(String text) {
        return StringValue.newBuilder().setValue(text).build();
    }

    @Test
    void callsHome_withProtocolBuffers(Islands islands, Greeter greeter) {
        islands.home().serves(Greeter.class, name -> name);
        assertThat(greeter.greet(value("a"))).isEqualTo(value("a"));

        islands.at("shanghai").serves(Greeter.class, name -> value("there")).isDown();
        assertThat(Highway.to("shanghai").call(() -> greeter.greet(value("a")))).isEqualTo(value("a"));
    }

    @Test
    void losesExceptions_besideProtocolBuffers(Islands islands, Greeter greeter) {
        islands.at("shanghai").serves(Greeter.class, name -> {
            throw new IllegalStateException("sold out");
        });

        assertThatThrownBy(() -> Highway.to("shanghai").run(() -> greeter.greet(value("a"))))
                .isInstanceOfSatisfying(HighwayException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.REMOTE_FAILURE);
                    assertThat(e.mayHaveRun()).isTrue();
                })
                .hasMessageContaining("sold out");
    }

    interface Feed {

        void list(String text, StreamObserver<Object> answers);

        StreamObserver<String> talk(StreamObserver<Object> answers);
    }

    /** Only lists. */
    private interface Listing extends Feed {

        @Override
        default StreamObserver<String> talk(StreamObserver<Object> answers) {
            throw new IllegalStateException("no talk");
        }
    }

    /** Called by several threads. */
    private static class Received implements StreamObserver<Object> {

        final List<Object> events = Collections.synchronizedList(new ArrayList<>());

        @Override
        public void onNext(Object message) {
            events.add(message);
        }

        @Override
        public void onError(Throwable failure) {
            events.add(failure);
        }

        @Override
        public void onCompleted() {
            events.add("end");
        }
    }

    @Test
    void endsAStream_asItsServiceFails(Islands islands, Feed feed) {
        islands.home().serves(Feed.class, (Listing) (text, answers) -> answers.onCompleted());
        islands.at("shanghai").serves(Feed.class, (Listing) (text, answers) -> {
            throw new IllegalStateException("sold out");
        });
        Received received = new Received();

        Highway.to("shanghai").run(() -> feed.list("a", received));

        await().until(() -> !received.events.isEmpty());
        assertThat(received.events).singleElement().isInstanceOfSatisfying(HighwayException.class, e -> assertThat(
                        e.mayHaveRun())
                .isTrue());
        assertThat(islands.outcomes()).singleElement().satisfies(outcome -> assertThat(outcome.outcome())
                .isEqualTo(Outcome.SENT_UNKNOWN));
        assertThat(islands.home().calls()).isEmpty();
    }

    /** Whoever sends messages does not know yet that nobody reads them. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void endsAStream_whoseCallerSends(boolean isServed, Islands islands, Feed feed) {
        if (isServed) {
            islands.at("shanghai").serves(Feed.class, (Listing) (text, answers) -> {});
        }
        Received received = new Received();

        StreamObserver<String> requests = Highway.to("shanghai").call(() -> feed.talk(received));
        requests.onNext("a");

        await().until(() -> !received.events.isEmpty());
        assertThat(received.events).singleElement().isInstanceOf(HighwayException.class);
    }

    /** A stream is not served at home: its caller may have sent messages. */
    @Test
    void endsAStream_thatNobodyServes(Islands islands, Feed feed) {
        islands.home().serves(Feed.class, (Listing) (text, answers) -> answers.onCompleted());
        Received received = new Received();

        Highway.to("shanghai").run(() -> feed.list("a", received));

        await().until(() -> !received.events.isEmpty());
        assertThat(received.events).singleElement().isInstanceOfSatisfying(HighwayException.class, e -> assertThat(
                        e.reason())
                .isEqualTo(Reason.NO_SUCH_SERVICE));
        assertThat(islands.home().calls()).isEmpty();
    }

    @Test
    void sendsMessagesOfAStream_thatCanBeSent(Islands islands, Feed feed) {
        islands.at("shanghai").serves(Feed.class, (Listing) (text, answers) -> {
            answers.onNext(new ArrayList<>(List.of(text)));
            answers.onNext(new Thread());
            answers.onCompleted();
        });
        Received received = new Received();

        Highway.to("shanghai").run(() -> feed.list("a", received));

        await().until(() -> received.events.size() == 2);
        assertThat(received.events.get(0)).isEqualTo(List.of("a"));
        assertThat(received.events.get(1)).isInstanceOf(HighwayException.class);
    }
}
