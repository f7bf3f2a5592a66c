// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.same;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.highway.sdk.dubbo.internal.connection.triple.HeadersCheck.Refusal;
import java.net.InetSocketAddress;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.Invoker;
import org.junit.jupiter.api.Test;

class GuardedHeadersTest {

    private final GuardedHeaders.Checks checks = mock(GuardedHeaders.Checks.class);
    private final GuardedHeaders headers = new GuardedHeaders(checks);

    private static Invoker<?> service() {
        Invoker<?> service = mock(Invoker.class);
        when(service.getUrl()).thenReturn(URL.valueOf("tri://127.0.0.1:50051/com.foo.Shop?interface=com.foo.Shop"));
        return service;
    }

    private Refusal refusal() {
        return headers.refusal(new InetSocketAddress("127.0.0.1", 1), "/com.foo.Shop/sell", name -> null);
    }

    @Test
    void checksAServiceThatWasExportedAgain_whenTheFormerOneEnds() {
        Invoker<?> former = service();
        Invoker<?> present = service();
        Refusal refused = new Refusal("unsigned", null);
        when(checks.refusalByHeaders(same(present), any(), anyBoolean())).thenReturn(refused);
        headers.exported(former);
        headers.exported(present);

        headers.unexported(former);

        assertThat(refusal()).isSameAs(refused);
        headers.unexported(present);
        assertThat(refusal()).isNull();
    }
}
