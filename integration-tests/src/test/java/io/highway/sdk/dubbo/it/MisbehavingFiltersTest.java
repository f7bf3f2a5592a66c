// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.rpc.AsyncRpcResult;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.TimeoutCountDown;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the caller's own filters can do to a routed call. */
@Tag("network")
class MisbehavingFiltersTest {

    private static Star star;

    @BeforeAll
    static void start() {
        star = new Star();
    }

    @AfterAll
    static void stop() {
        star.close();
    }

    @BeforeEach
    void forget() {
        star.shanghai.shop.received.clear();
    }

    @AfterEach
    void behave() {
        MisbehavingFilter.act = Invoker::invoke;
        RpcContext.removeContext();
    }

    private static Shop shop(Tunnel tunnel, String... more) {
        return star.reference(
                Shop.class,
                star.properties(tunnel, more),
                config -> config.setParameters(new HashMap<>(Map.of(MisbehavingFilter.KEY, "true"))));
    }

    private static String sell(Shop shop) {
        return Highway.to("shanghai").call(() -> shop.sell("tea"));
    }

    /** As filters do that wrap a call; the constructor takes no attributes. */
    @SuppressWarnings("deprecation") // as users write it
    private static Result invokeAnother(Invoker<?> invoker, Invocation call) {
        return invoker.invoke(new RpcInvocation(
                call.getServiceModel(),
                call.getMethodName(),
                call.getServiceName(),
                call.getProtocolServiceKey(),
                call.getParameterTypes(),
                call.getArguments(),
                new HashMap<>(call.getObjectAttachments())));
    }

    @ParameterizedTest
    @EnumSource
    void whatReplacesTheCall_isTheCall(Tunnel tunnel) {
        Shop shop = shop(tunnel, "highway.sign.key-id", "zhejiang", "highway.sign.secret", "s3cr3t");
        MisbehavingFilter.act = MisbehavingFiltersTest::invokeAnother;

        assertThat(sell(shop)).isEqualTo("shanghai:tea");
    }

    @ParameterizedTest
    @EnumSource
    void whatThrowsAfterAnotherCallInItsPlace_mayHaveRun(Tunnel tunnel) {
        Shop shop = shop(tunnel, "highway.islands.shanghai.fallback", "home");
        for (int code : new int[] {RpcException.UNKNOWN_EXCEPTION, RpcException.NO_INVOKER_AVAILABLE_AFTER_FILTER}) {
            star.shanghai.shop.received.clear();
            MisbehavingFilter.act = (invoker, call) -> {
                try {
                    Object unused = invokeAnother(invoker, call).get(5, TimeUnit.SECONDS);
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
                throw new RpcException(code, "after the answer");
            };

            HighwayException failure = catchThrowableOfType(HighwayException.class, () -> sell(shop));
            assertThat(failure).isNotNull().matches(HighwayException::mayHaveRun);
            assertThat(star.shanghai.shop.received).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatThrowsACheckedException_leavesThePermit(Tunnel tunnel) {
        Shop shop = shop(tunnel, "highway.islands.shanghai.max-concurrent", "2");
        MisbehavingFilter.act = (invoker, call) -> {
            throw MisbehavingFilter.<RuntimeException>unchecked(new IOException("of a filter"));
        };
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> sell(shop)).hasStackTraceContaining("of a filter");
        }

        MisbehavingFilter.act = Invoker::invoke;
        assertThat(sell(shop)).isEqualTo("shanghai:tea");
    }

    /** A limiter, or an authorisation. */
    @ParameterizedTest
    @EnumSource
    void whatRefusesACall_byItsAnswer_endsIt(Tunnel tunnel) {
        Shop shop = shop(tunnel);
        MisbehavingFilter.act = (invoker, call) -> AsyncRpcResult.newDefaultAsyncResult(
                new RpcException(RpcException.FORBIDDEN_EXCEPTION, "of a filter"), call);

        HighwayException failure = catchThrowableOfType(HighwayException.class, () -> sell(shop));
        assertThat(failure).isNotNull().hasMessageContaining("of a filter");
        assertThat(star.shanghai.shop.received).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void whatTimesOutInAFilter_opensNoBreaker(Tunnel tunnel) {
        Shop shop = shop(tunnel);
        MisbehavingFilter.act = (invoker, call) -> {
            throw new RpcException(RpcException.TIMEOUT_EXCEPTION, "of another call");
        };
        for (int i = 0; i < 25; i++) {
            assertThatThrownBy(() -> sell(shop)).hasStackTraceContaining("of another call");
        }

        MisbehavingFilter.act = Invoker::invoke;
        assertThat(sell(shop)).isEqualTo("shanghai:tea");
    }

    /** Of Dubbo's own filter, in a service whose caller waits no longer. */
    @ParameterizedTest
    @EnumSource
    void whatEndsACallAfterTheDeadline_saysSo(Tunnel tunnel) {
        Shop shop = shop(tunnel);
        TimeoutCountDown over = TimeoutCountDown.newCountDown(-1, TimeUnit.MILLISECONDS);
        RpcContext.getServerAttachment().setObjectAttachment(CommonConstants.TIME_COUNTDOWN_KEY, over);
        RpcContext.getClientAttachment().setObjectAttachment(CommonConstants.TIME_COUNTDOWN_KEY, over);

        HighwayException failure = catchThrowableOfType(HighwayException.class, () -> sell(shop));
        assertThat(failure).isNotNull();
        assertThat(failure.reason()).isEqualTo(Reason.NO_TIME_LEFT);
        assertThat(failure.mayHaveRun()).isFalse();
        assertThat(star.shanghai.shop.received).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void whatAnswersInItsPlace_isTheAnswer(Tunnel tunnel) {
        MisbehavingFilter.act =
                (invoker, call) -> AsyncRpcResult.newDefaultAsyncResult(new IllegalArgumentException("invalid"), call);
        Shop shop = shop(tunnel);

        assertThatThrownBy(() -> sell(shop)).hasStackTraceContaining("invalid");
        assertThat(star.shanghai.shop.received).isEmpty();
    }
}
