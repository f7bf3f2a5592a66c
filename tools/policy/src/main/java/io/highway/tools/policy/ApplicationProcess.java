// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.policy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;
import org.apache.dubbo.rpc.RpcException;

/** An application at home, as a user writes it without Spring; its configuration is in system properties. */
public final class ApplicationProcess {

    private ApplicationProcess() {}

    public static void main(String[] arguments) throws IOException {
        ReferenceConfig<Place> reference = new ReferenceConfig<>();
        reference.setInterface(Place.class);
        reference.setCheck(false);
        DubboBootstrap.getInstance().reference(reference).start();
        Place places = reference.get();
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.getInteger("server.port", 0)), 0);
        server.createContext("/where", exchange -> {
            try (OutputStream body = exchange.getResponseBody()) {
                byte[] where = places.where().getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, where.length);
                body.write(where);
            } catch (RpcException e) {
                exchange.sendResponseHeaders(500, -1);
            }
        });
        server.start();
    }
}
