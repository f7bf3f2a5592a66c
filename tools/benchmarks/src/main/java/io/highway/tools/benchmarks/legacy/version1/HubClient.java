// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.legacy.version1;

import java.io.IOException;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.pool.PoolConcurrencyPolicy;
import org.apache.hc.core5.pool.PoolReusePolicy;
import org.apache.hc.core5.util.Timeout;

/**
 * Posts to the hub with Apache HttpClient, whose classic client writes and reads on the calling thread; that of the JDK hands
 * each request to other threads and waits for them. As many connections as there are threads, all kept alive.
 */
final class HubClient {

    /** At most, and threads that use them. */
    static final int CONNECTIONS = 200;

    private static final Timeout PATIENCE = Timeout.ofSeconds(10);
    private static final ContentType HESSIAN2 = ContentType.create(Wire.CONTENT_TYPE);

    private final CloseableHttpClient client;
    private final String address;

    /**
     * Connects with the first call.
     *
     * @param hub {@code host:port}
     * @param service the interface that calls are for
     */
    HubClient(String hub, String service) {
        this.address = "http://" + hub + "/" + service;
        PoolingHttpClientConnectionManager connections = PoolingHttpClientConnectionManagerBuilder.create()
                .setMaxConnTotal(CONNECTIONS)
                .setMaxConnPerRoute(CONNECTIONS)
                .setPoolConcurrencyPolicy(PoolConcurrencyPolicy.LAX)
                .setConnPoolPolicy(PoolReusePolicy.LIFO)
                .setDefaultConnectionConfig(ConnectionConfig.custom()
                        .setConnectTimeout(PATIENCE)
                        .setSocketTimeout(PATIENCE)
                        .build())
                .build();
        this.client = HttpClients.custom()
                .setConnectionManager(connections)
                .setDefaultRequestConfig(RequestConfig.custom()
                        .setConnectionRequestTimeout(PATIENCE)
                        .setResponseTimeout(PATIENCE)
                        .build())
                .disableAuthCaching()
                .disableAutomaticRetries()
                .disableContentCompression()
                .disableCookieManagement()
                .disableRedirectHandling()
                .build();
    }

    /** Sends a body and waits for the one that comes back. */
    byte[] post(byte[] body) throws IOException {
        HttpPost post = new HttpPost(address);
        post.setEntity(new ByteArrayEntity(body, HESSIAN2));
        return client.execute(post, HubClient::body);
    }

    private static byte[] body(ClassicHttpResponse response) throws IOException {
        byte[] body = EntityUtils.toByteArray(response.getEntity());
        if (response.getCode() != HttpStatus.SC_OK) {
            throw new IOException("the hub answered with " + response.getCode());
        }
        return body;
    }
}
