// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.Highway;
import io.highway.tools.fixtures.ports.FreePorts;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.dubbo.common.utils.JsonUtils;
import org.apache.dubbo.config.ApplicationConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The QoS commands over a real QoS port, by HTTP as {@code curl} does and by telnet. */
@Tag("network")
class QosCommandsTest {

    private static final String SHOP = Shop.class.getName();

    private static Star star;
    private static int qosPort;
    private static Shop shop;

    private record Answer(int status, String text) {}

    @BeforeAll
    static void start() {
        star = new Star();
        qosPort = FreePorts.next();
        TestApplication consumer = consumer(
                qosPort,
                application -> {},
                "highway.islands.beijing.deny",
                "note",
                "highway.guard.rules.orders.action",
                "allow",
                "highway.guard.rules.orders.from",
                "zhejiang/orders",
                "highway.guard.rules.orders.rate",
                "200/s",
                "highway.guard.rules.outlaws.action",
                "deny",
                "highway.guard.rules.outlaws.from",
                "beijing/*");
        consumer.listen("dubbo");
        consumer.export(Shop.class, new ShopKeeper("zhejiang"), service -> service.setGroup("qos"))
                .start();
        shop = shop(consumer);
        assertThat(Highway.to("shanghai").call(() -> shop.sell("tea"))).isEqualTo("shanghai:tea");
    }

    @AfterAll
    static void stop() {
        star.close();
    }

    private static TestApplication consumer(int port, Consumer<ApplicationConfig> customizer, String... more) {
        TestApplication consumer = star.consumer(star.properties(Tunnel.DUBBO, more));
        ApplicationConfig application =
                consumer.model().getApplicationConfigManager().getApplicationOrElseThrow();
        application.setQosEnable(true);
        application.setQosPort(port);
        customizer.accept(application);
        return consumer;
    }

    private static Shop shop(TestApplication consumer) {
        return consumer.reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo))
                .get();
    }

    /** Without the names of the parameters, which QoS does not pass on. */
    private static Answer get(String command, String... values) throws IOException {
        return get("127.0.0.1", qosPort, command, values);
    }

    private static Answer get(String host, int port, String command, String... values) throws IOException {
        String query = Stream.of(values)
                .map(value -> "v" + Math.abs(value.hashCode()) + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        HttpURLConnection connection = (HttpURLConnection)
                URI.create("http://" + host + ":" + port + "/" + command + (query.isEmpty() ? "" : "?" + query))
                        .toURL()
                        .openConnection();
        connection.setConnectTimeout(20_000);
        connection.setReadTimeout(20_000);
        int status = connection.getResponseCode();
        try (InputStream body = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            return new Answer(status, body == null ? "" : new String(body.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> json(String text) {
        return JsonUtils.toJavaObject(text, Map.class);
    }

    @Test
    void showsGatewaysIslandsAndTheLastCall() throws IOException {
        Answer answer = get("highway");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text())
                .contains("home zhejiang, max hops 3", "policy static (static), source static")
                .containsPattern("gateway\\.zhejiang\\.test:\\d+ +dubbo +no +up")
                .containsPattern("shanghai +dubbo +dubbo +gateway\\.zhejiang\\.test:\\d+ +up")
                .containsPattern("shanghai +" + SHOP + "#sell +delivered")
                .containsPattern("SERVICE +GUARDED ON")
                .containsPattern("qos/" + SHOP + " +dubbo")
                .containsPattern("MetadataService:1.0.0 +dubbo");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--json", "json"})
    void showsTheReportAsJson(String option) throws IOException {
        Map<String, Object> report = json(get("highway", option).text());

        assertThat(report).containsEntry("home", "zhejiang").containsKeys("policy", "gateways", "islands");
        assertThat(((Map<?, ?>) report.get("islands")).keySet().stream().map(Object::toString))
                .contains("shanghai", "beijing");
    }

    @Test
    void explainsACall_andSendsNothing() throws IOException {
        int before = star.shanghai.shop.received.size();

        Answer home = get("highwayExplain", SHOP + "#sell");
        Answer tunnel = get("highwayExplain", SHOP + "#sell", "shanghai");
        Answer byKey = get("highwayExplain", SHOP + "#sellIn", "key=110000");
        Answer refused = get("highwayExplain", SHOP + "#note", "scope=beijing");

        assertThat(home.text()).contains("home: the call names no island").containsPattern("none +home +.*followed");
        assertThat(tunnel.text())
                .contains("tunnel to shanghai")
                .containsPattern("attachment +shanghai +always +followed")
                .containsPattern("5 +known-island +pass")
                .containsPattern("10 +tunnel +stop")
                .containsPattern("1 +dubbo +gateway\\.zhejiang\\.test:\\d+ +up")
                .containsPattern("highway-from +zhejiang/zhejiang-app/1")
                .containsPattern("timeout +5000 ms");
        assertThat(byKey.text()).contains("tunnel to beijing").containsPattern("key +110000 +always +followed");
        assertThat(refused.text())
                .contains("refused as denied: highway.islands.beijing.deny contains \"note\"")
                .containsPattern("9 +max-hops +not-reached");
        assertThat(star.shanghai.shop.received).hasSize(before);
    }

    @Test
    void explainsAsJson() throws IOException {
        List<?> all = JsonUtils.toJavaList(
                get("highwayExplain", SHOP + "#sell", "scope=shanghai", "--json")
                        .text(),
                Map.class);

        assertThat(all).hasSize(1);
        Map<?, ?> explained = (Map<?, ?>) all.get(0);
        assertThat(explained.get("decision")).isEqualTo("tunnel");
        assertThat(explained.get("island")).isEqualTo("shanghai");
        assertThat((List<?>) explained.get("sources")).hasSize(8);
        assertThat((List<?>) explained.get("rules")).hasSize(11);
        assertThat(explained.containsKey("reason")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "zhejiang/orders, serve",
        "zhejiang/reports, refuse as not-allowed",
        "beijing/orders, refuse as denied",
    })
    void explainsWhatTheGuardDecides(String from, String decision) throws IOException {
        Answer answer = get("highwayExplain", SHOP + ":1.0#sell(java.lang.String)", "from=" + from);
        Map<String, Object> json = json(
                get("highwayExplain", SHOP + "#sell", "from=" + from, "--json").text());

        assertThat(answer.text())
                .contains(SHOP + "#sell from " + from + ", policy static", decision)
                .containsPattern("orders +allow +(yes +200/s|no +200/s)")
                .containsPattern("outlaws +deny +" + (from.startsWith("beijing") ? "yes" : "no"));
        assertThat(json.get("decision")).isEqualTo(decision.split(" ")[0]);
        assertThat((List<?>) json.get("rules")).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({
        "com.foo.Sms#send|from=zhejiang, is not a caller; write <island>/<application>",
        "com.foo.Sms#send|from=Bad!/orders, is not a caller; write <island>/<application>",
        "com.foo.Sms#send|shanghai|from=zhejiang/orders, leave out island",
        "com.foo.Sms, write [group/]interface[:version]#method",
        "com.foo.Sms#send|shanghai|beijing, write [group/]interface[:version]#method",
        "com.foo.Sms#send|iland=shanghai, there is no option \"iland\"",
        "io.highway.sdk.dubbo.it.Shop#sell|scope=Bad!, island",
        "io.highway.sdk.dubbo.it.Shop#sel, did you mean \"sell\"?"
    })
    void refusesWrongArguments(String arguments, String problem) throws IOException {
        Answer answer = get("highwayExplain", arguments.split("\\|"));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text()).contains(problem);
    }

    @Test
    void answersByTelnet() throws IOException {
        try (Socket socket = new Socket("127.0.0.1", qosPort)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write(("highwayExplain " + SHOP + "#sell shanghai\r\n").getBytes(StandardCharsets.UTF_8));
            StringBuilder read = new StringBuilder();
            InputStream in = socket.getInputStream();
            while (!read.toString().contains("LIMIT")) {
                int next = in.read();
                assertThat(next).as(read.toString()).isNotNegative();
                read.append((char) next);
            }
            assertThat(read.toString()).contains("tunnel to shanghai");
        }
    }

    /** An address of this machine that is not loopback, as a foreign client has; null without a network card. */
    private static String foreignAddress() throws IOException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                .map(InetAddress::getHostAddress)
                .findFirst()
                .orElse(null);
    }

    /** A client with an address of a network card is foreign to Dubbo; loopback is not. */
    @Test
    void refusesAForeignAddress_asDubbosOwnReadCommandsDo() throws IOException {
        String foreign = Objects.requireNonNull(foreignAddress(), "this machine has no network card");
        int strict = FreePorts.next();
        int open = FreePorts.next();
        Shop first = shop(consumer(strict, application -> application.setQosAcceptForeignIp(false)));
        Shop second = shop(consumer(open, application -> {
            application.setQosAcceptForeignIp(false);
            application.setQosAcceptForeignIpWhitelist(foreign);
        }));
        assertThat(List.of(first, second)).hasSize(2);

        for (String command : List.of("ls", "highway", "highwayExplain")) {
            String[] values = command.equals("highwayExplain") ? new String[] {SHOP + "#sell"} : new String[0];
            assertThat(get(foreign, strict, command, values).status())
                    .as(command)
                    .isEqualTo(403);
            assertThat(get("127.0.0.1", strict, command, values).status())
                    .as(command)
                    .isEqualTo(200);
            assertThat(get(foreign, open, command, values).status()).as(command).isEqualTo(200);
        }
        for (String probe : List.of("live", "ready", "startup")) { // Kubernetes' node is a foreign address
            assertThat(get(foreign, strict, probe).status()).as(probe).isNotEqualTo(403);
        }
    }

    @Test
    void saysSo_whileTheHighwayIsOff() throws IOException {
        int port = FreePorts.next();
        TestApplication off = star.consumer(star.properties(Tunnel.DUBBO, "highway.enabled", "false"));
        ApplicationConfig application =
                off.model().getApplicationConfigManager().getApplicationOrElseThrow();
        application.setQosEnable(true);
        application.setQosPort(port);
        Object unused = shop(off);

        assertThat(get("127.0.0.1", port, "highway").text()).contains("highway: off");
        assertThat(get("127.0.0.1", port, "highway", "--json").text()).isEqualTo("{}");
    }
}
