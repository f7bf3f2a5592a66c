// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.dubbo;

import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.config.ConnectionCounts;
import io.highway.sdk.dubbo.internal.connection.channel.ConnectionUrls;
import io.highway.sdk.dubbo.internal.connection.channel.Greeting;
import io.highway.sdk.dubbo.internal.connection.channel.ProtocolClients;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.threadpool.manager.ExecutorRepository;
import org.apache.dubbo.config.Constants;

/** The Dubbo protocol. */
public class DubboClients implements ProtocolClients {

    @Override
    public Map<String, String> connectionParameters(boolean bulk, ConnectionCounts counts) {
        return Map.of(ConnectionUrls.CONNECTIONS, String.valueOf(bulk ? 1 : counts.dubbo()));
    }

    @Override
    public Greeting greeting() {
        return Greeting.DUBBO;
    }

    @Override
    public String extension(TunnelKind kind) {
        return FrameProtocol.NAME;
    }

    /**
     * Adds the threads of asynchronous answers to the application of the reference, as Dubbo does where it connects;
     * connections to gateways belong to no application.
     */
    @Override
    public void beforeRefer(URL invoker) {
        ExecutorService unused = ExecutorRepository.getInstance(invoker.getOrDefaultApplicationModel())
                .createExecutorIfAbsent(
                        invoker.addParameter(CommonConstants.THREAD_NAME_KEY, Constants.CLIENT_THREAD_POOL_NAME)
                                .addParameterIfAbsent(
                                        CommonConstants.THREADPOOL_KEY, CommonConstants.DEFAULT_CLIENT_THREADPOOL));
    }
}
