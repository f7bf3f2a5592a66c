// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.dubbo;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.highway.sdk.dubbo.internal.connection.channel.GatewayClients;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.junit.jupiter.api.Test;

class GatewayExchangerTest {

    @Test
    void closesAConnection_thatOpensWhileItsFrameworkEnds() {
        FrameworkModel framework = new FrameworkModel();
        URL url = URL.valueOf("dubbo://gateway:20880").setScopeModel(framework.newApplication());
        GatewayClients clients = GatewayClients.of(url);
        GatewayNettyClient opened = mock(GatewayNettyClient.class);
        when(opened.getUrl()).thenReturn(url);
        framework.destroy();

        assertThatThrownBy(() -> GatewayExchanger.exchange(opened, clients)).hasMessageContaining("destroyed");
        verify(opened).close();
    }
}
