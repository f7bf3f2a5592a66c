// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.channel;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

import org.apache.dubbo.common.URL;
import org.junit.jupiter.api.Test;

/** The end of a framework while a connection is being opened. */
class GatewayClientsTest {

    private static final URL ADDRESS = URL.valueOf("dubbo://gateway.zhejiang.test:20880/any");

    @Test
    void areClosed_withTheirFramework_howeverLateTheyWereOpened() {
        GatewayClients clients = new GatewayClients();
        GatewayClient before = mock(GatewayClient.class);
        clients.opened(ADDRESS, before);
        verify(before, never()).close();

        clients.destroy();
        verify(before).close();

        GatewayClient after = mock(GatewayClient.class);
        clients.opened(ADDRESS, after);
        verify(after).close();
    }
}
