// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.transport;

import java.io.IOException;
import java.io.InputStream;
import org.apache.dubbo.remoting.Channel;
import org.apache.dubbo.remoting.exchange.Response;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.protocol.dubbo.DubboCodec;

/**
 * Dubbo's codec, which also understands errors as Envoy writes them: {@code dubbo_proxy} (1.40, {@code
 * AppException::encode}) puts a zero before the words, as before an exception of the service. Dubbo alone reads "0".
 */
final class GatewayCodec extends DubboCodec {

    private static final int STATUS = 3;
    private static final int FLAGS = 2;
    private static final int HESSIAN_ZERO = 0x90;

    GatewayCodec(FrameworkModel framework) {
        super(framework);
    }

    @Override
    protected Object decodeBody(Channel channel, InputStream body, byte[] header) throws IOException {
        boolean isError = (header[FLAGS] & (FLAG_REQUEST | FLAG_EVENT)) == 0 && header[STATUS] != Response.OK;
        if (isError && body.markSupported()) {
            body.mark(1);
            if (body.read() != HESSIAN_ZERO) { // no text begins so
                body.reset();
            }
        }
        return super.decodeBody(channel, body, header);
    }
}
