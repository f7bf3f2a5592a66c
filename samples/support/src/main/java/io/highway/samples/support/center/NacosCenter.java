// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.support.center;

import io.highway.samples.support.Processes;
import io.highway.testsupport.faults.FaultyLink;
import io.highway.testsupport.faults.FaultyLinks;
import io.highway.testsupport.ports.FreePorts;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A real Nacos 3.1.0 server. */
final class NacosCenter implements Center {

    /** How far the port of gRPC, by which clients read and listen, is above that of the address. */
    private static final int GRPC = 1_000;

    private final Processes processes;
    private final Path data;
    private final String classPath;
    private final int port = freePort();
    private final HttpClient http = HttpClient.newHttpClient();

    NacosCenter(Processes processes, Path folder, Path server) throws IOException {
        this.processes = processes;
        this.data = folder.resolve("nacos-data");
        this.classPath = server.resolve("classes") + ":"
                + Files.readString(server.resolve("class-path")).trim();
    }

    /** Nacos also uses the ports 1000 below, and 1000 and 1001 above. */
    private static int freePort() {
        for (int i = 0; i < 100; i++) {
            int port = FreePorts.next();
            if (port > 3_000
                    && port < 60_000
                    && isFree(port - 1_000)
                    && isFree(port + GRPC)
                    && isFree(port + GRPC + 1)) {
                return port;
            }
        }
        throw new IllegalStateException("no four free ports for Nacos");
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port)) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void start() {
        processes.start(
                "center",
                List.of("-Xmx512m"),
                classPath,
                "io.highway.samples.support.nacos.NacosProcess",
                String.valueOf(port),
                data.toString());
        String unused = processes.ready("center");
    }

    @Override
    public void kill() {
        processes.kill("center");
    }

    @Override
    public String address() {
        return "nacos://registry.test:" + port;
    }

    @Override
    public String addressWithoutCheck() {
        return address() + "?nacos.check=false";
    }

    @Override
    public List<FaultyLink> links(FaultyLinks links) {
        int front = freePort();
        return List.of(links.link(front, port), links.link(front + GRPC, port + GRPC));
    }

    /** Nacos is both. */
    @Override
    public String registry() {
        return address();
    }

    @Override
    public String registryWithoutCheck() {
        return addressWithoutCheck();
    }

    @Override
    public boolean needsCheckFalse() {
        return false;
    }

    @Override
    public void publish(String key, String rule) throws Exception {
        demandDone(send(publication(key, rule)));
    }

    @Override
    public String publishBlank() throws Exception {
        HttpResponse<String> response = send(publication(COMMON, ""));
        return isDone(response) ? "" : "Nacos refuses to store it, HTTP " + response.statusCode();
    }

    @Override
    public void delete(String key) throws Exception {
        demandDone(send(HttpRequest.newBuilder(uri("?" + place(key))).DELETE().build()));
    }

    private static String place(String key) {
        return "dataId=" + key + "&groupName=dubbo";
    }

    private HttpRequest publication(String key, String rule) {
        return HttpRequest.newBuilder(uri(""))
                .header("content-type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(
                        place(key) + "&content=" + URLEncoder.encode(rule, StandardCharsets.UTF_8)))
                .build();
    }

    private URI uri(String query) {
        return URI.create("http://127.0.0.1:" + port + "/nacos/v3/admin/cs/config" + query);
    }

    private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static boolean isDone(HttpResponse<String> response) {
        return response.statusCode() == 200 && response.body().contains("\"code\":0");
    }

    private static void demandDone(HttpResponse<String> response) {
        if (!isDone(response)) {
            throw new IllegalStateException("Nacos answers " + response.statusCode() + " " + response.body());
        }
    }
}
