// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.legacy;

import io.highway.tools.benchmarks.orders.Family;
import io.highway.tools.benchmarks.orders.OrderService;
import io.highway.tools.processes.DubboProvider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.dubbo.common.serialize.ObjectInput;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.service.GenericService;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.pool.PoolConcurrencyPolicy;
import org.apache.hc.core5.pool.PoolReusePolicy;

/**
 * Home's gateway of version 1: appears as the provider of a far service, and posts the calls it gets to the hub. Apache's
 * classic client writes and reads on the calling thread; that of the JDK hands each request to other threads.
 */
record HomeGateway(CloseableHttpClient hub, String address) implements GenericService {

    /** The type of bodies: Dubbo itself writes descriptors with it, and it is faster for them than Java's serialization. */
    static final String CONTENT_TYPE = "x-application/hessian2";

    /** Connections at most, and threads that use them. */
    static final int CONNECTIONS = 200;

    private static final ContentType TYPE = ContentType.create(CONTENT_TYPE);

    /** Arguments: the port for the Dubbo protocol, and the hub's {@code host:port}. */
    public static void main(String[] arguments) {
        String service = OrderService.class.getName();
        new DubboProvider("home-gateway", "gateway.zhejiang.test")
                .listen("dubbo", arguments[0], protocol -> protocol.setThreads(CONNECTIONS))
                .export(
                        GenericService.class,
                        new HomeGateway(client(), "http://" + arguments[1] + "/" + service),
                        settings -> {
                            settings.setInterface(service);
                            settings.setGeneric("bean");
                        })
                .serve(arguments[0]);
    }

    private static CloseableHttpClient client() {
        return HttpClients.custom()
                .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
                        .setMaxConnTotal(CONNECTIONS)
                        .setMaxConnPerRoute(CONNECTIONS)
                        .setPoolConcurrencyPolicy(PoolConcurrencyPolicy.LAX)
                        .setConnPoolPolicy(PoolReusePolicy.LIFO)
                        .build())
                .disableAuthCaching()
                .disableAutomaticRetries()
                .disableContentCompression()
                .disableCookieManagement()
                .disableRedirectHandling()
                .build();
    }

    @Override
    public Object $invoke(String method, String[] types, Object[] arguments) {
        try {
            HttpPost post = new HttpPost(address);
            post.setEntity(new ByteArrayEntity(Family.hessian2(method, types, arguments), TYPE));
            byte[] answer = hub.execute(post, response -> {
                if (response.getCode() != HttpStatus.SC_OK) {
                    throw new IOException("the hub answered with " + response.getCode());
                }
                return EntityUtils.toByteArray(response.getEntity());
            });
            return read(new ByteArrayInputStream(answer), 1)[0];
        } catch (IOException e) { // the cause itself could not be serialised for the caller
            throw new RpcException(RpcException.NETWORK_EXCEPTION, String.valueOf(e));
        }
    }

    static Object[] read(InputStream body, int count) throws IOException {
        ObjectInput in = Family.HESSIAN2.deserialize(null, body);
        Object[] values = new Object[count];
        try {
            for (int i = 0; i < count; i++) {
                values[i] = in.readObject();
            }
        } catch (ClassNotFoundException e) {
            throw new IOException(e);
        }
        return values;
    }
}
