// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.operate.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.highway.sdk.Caller;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.PolicyParser;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.junit.jupiter.api.Test;

class InboundCallAuditTest {

    private static final Policy POLICY = PolicyParser.parse(
                    RawSettings.of(Map.of("highway.island", "shanghai", "highway.audit.enabled", "true"), "test"),
                    "static",
                    null)
            .orElseThrow();

    private static final InboundCallAudit.Verdict VERDICT =
            new InboundCallAudit.Verdict(Caller.of("zhejiang", "shop"), "shanghai", null, null, null, null, POLICY);

    private static InboundCallAudit begin(AuditLog log) {
        RpcInvocation call = call();
        call.setAttachment(CommonConstants.TIMEOUT_KEY, String.valueOf(TimeUnit.DAYS.toMillis(1)));
        return InboundCallAudit.begin(log, shop(), call, VERDICT);
    }

    private static Invoker<?> shop() {
        Invoker<?> shop = mock(Invoker.class);
        when(shop.getUrl()).thenReturn(URL.valueOf("dubbo://127.0.0.1:20880/com.foo.Shop?interface=com.foo.Shop"));
        return shop;
    }

    private static RpcInvocation call() {
        return new RpcInvocation(null, "sell", "com.foo.Shop", "com.foo.Shop", new Class<?>[0], new Object[0]);
    }

    /** Lists that contain each other have no text. */
    @Test
    void takesNoPlace_forACallWhoseTimeoutCannotBeRead() {
        FrameworkModel framework = new FrameworkModel();
        List<Object> cyclic = new ArrayList<>();
        cyclic.add(new ArrayList<>(List.of(cyclic)));
        try (AuditTrail trail = new AuditTrail()) {
            AuditLog log = new AuditLog(framework.newApplication(), 16);

            for (int i = 0; i < 3; i++) {
                RpcInvocation call = call();
                call.setObjectAttachment(CommonConstants.TIMEOUT_KEY, cyclic);
                InboundCallAudit.refused(log, shop(), call, VERDICT, "unsigned");
            }

            assertThat(log.lost()).isZero();
            log.close();
            assertThat(trail.ends("in")).hasSize(3);
        } finally {
            framework.destroy();
        }
    }

    /** The caller may have left long ago. */
    @Test
    void holdsAPlaceForAMinuteAtMost_andHasItsLineAtItsEnd() {
        FrameworkModel framework = new FrameworkModel();
        try (AuditTrail trail = new AuditTrail()) {
            AuditLog log = new AuditLog(framework.newApplication(), 4);
            InboundCallAudit call = begin(log);
            assertThat(call).isNotNull();
            long now = System.nanoTime();

            call.endIfOverdue(now + TimeUnit.SECONDS.toNanos(50));
            assertThat(log.reserve(1, "zhejiang", true))
                    .as("a share is one place")
                    .isNull();
            call.endIfOverdue(now + TimeUnit.SECONDS.toNanos(70));
            assertThat(log.reserve(1, "zhejiang", true)).isNotNull();

            call.answered(null);
            log.close();
            assertThat(trail.ends("in").get(0).get("outcome").asText()).isEqualTo("delivered");
        } finally {
            framework.destroy();
        }
    }
}
