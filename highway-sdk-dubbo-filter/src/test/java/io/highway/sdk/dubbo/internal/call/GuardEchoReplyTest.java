// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.dubbo.rpc.RpcInvocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

class GuardEchoReplyTest {

    private static RpcInvocation invocation() {
        return new RpcInvocation(null, "$echo", "Shop", "Shop", new Class<?>[0], new Object[0]);
    }

    @Test
    void writesWhatItReads() {
        RpcInvocation invocation = invocation();
        GuardEchoReply.mark(invocation, "shanghai");

        GuardEchoReply read = GuardEchoReply.parse(GuardEchoReply.textFor(invocation));

        assertThat(read).isNotNull();
        assertThat(read.island()).isEqualTo("shanghai");
        assertThat(read.version()).isNotBlank();
        assertThat(Math.abs(read.aheadMillis(0))).isLessThan(60_000);
    }

    @Test
    void writesNothing_forACallThatIsNotMarked() {
        assertThat(GuardEchoReply.textFor(invocation())).isNull();
    }

    @Test
    void showsHowFarItsClockIsAhead() {
        long ours = System.currentTimeMillis();

        assertThat(new GuardEchoReply("shanghai", "1.0", ours + 3_600_000).aheadMillis(0))
                .isBetween(3_540_000L, 3_660_000L);
        assertThat(new GuardEchoReply("shanghai", "1.0", ours - 3_600_000).aheadMillis(0))
                .isBetween(-3_660_000L, -3_540_000L);
    }

    /** Anybody may have written it. */
    @ParameterizedTest
    @NullAndEmptySource
    @ValueSource(
            strings = {
                "shanghai",
                "shanghai;1.0",
                "shanghai;1.0;",
                "shanghai;1.0;later",
                "shanghai;1.0;-1",
                "shanghai;1.0;9999999999999999",
                "Shanghai;1.0;1",
                "shanghai;1.0\n;1",
                "shanghai;<b>;1",
                "shanghai;;1",
                ";1.0;1",
                "shanghai;1.0;1;more",
                "shanghai;\u001b[31m;1"
            })
    void readsNothing_fromAnotherForm(String text) {
        assertThat(GuardEchoReply.parse(text)).isNull();
    }

    @Test
    void readsNothing_fromALongVersion() {
        assertThat(GuardEchoReply.parse("shanghai;" + "1".repeat(65) + ";1")).isNull();
    }
}
