// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.dubbo;

import io.highway.sdk.dubbo.internal.evidence.AnsweredExceptions;
import java.io.ByteArrayInputStream;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.remoting.Channel;
import org.apache.dubbo.remoting.exchange.Response;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.protocol.dubbo.DecodeableRpcResult;
import org.jspecify.annotations.Nullable;

/**
 * The result of a call that ended with an exception of the service; keeps its name and text if Dubbo cannot decode it.
 */
final class ExceptionResult extends DecodeableRpcResult {

    private static final long serialVersionUID = 1L;

    private final transient URL url;
    private final transient Response response;
    private final byte[] answer;
    private final byte serialization;

    ExceptionResult(
            Channel channel, Response response, byte[] answer, @Nullable Invocation invocation, byte serialization) {
        super(channel, response, new ByteArrayInputStream(answer), invocation, serialization);
        this.url = channel.getUrl();
        this.response = response;
        this.answer = answer;
        this.serialization = serialization;
    }

    @Override
    public void decode() throws Exception {
        super.decode();
        if (response.getStatus() == Response.CLIENT_ERROR) {
            setException(AnsweredExceptions.read(answer, url, serialization));
            response.setStatus(Response.OK);
            response.setErrorMessage(null);
        }
    }
}
