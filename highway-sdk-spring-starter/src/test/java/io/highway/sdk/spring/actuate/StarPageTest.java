// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import static io.highway.sdk.spring.actuate.TestRouting.dead;
import static io.highway.sdk.spring.actuate.TestRouting.ended;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpServer;
import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.HighwayReport.Endpoint;
import io.highway.sdk.dubbo.HighwayReport.Gateway;
import io.highway.sdk.dubbo.HighwayReport.Island;
import io.highway.sdk.dubbo.HighwayReport.LastOutcome;
import io.highway.sdk.dubbo.HighwayReport.Setting;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.operate.report.PlainValues;
import io.highway.sdk.spring.actuate.TestRouting.Live;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.htmlunit.BrowserVersion;
import org.htmlunit.CollectingAlertHandler;
import org.htmlunit.WebClient;
import org.htmlunit.html.DomNode;
import org.htmlunit.html.HtmlPage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the page of {@code /actuator/highwaystar} makes of a report, in HtmlUnit. */
@Tag("network")
@Tag("any-dubbo")
class StarPageTest {

    private static final ObjectMapper JSON =
            new ObjectMapper().setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL);

    private static final String HOME = "gateway.zhejiang.test:20880";
    private static final String NO_REPORT = "<script id=\"report\" type=\"application/json\">";

    private final WebClient browser = new WebClient(BrowserVersion.CHROME);
    private final CollectingAlertHandler alerts = new CollectingAlertHandler();

    @BeforeEach
    void collectAlerts() {
        browser.setAlertHandler(alerts);
    }

    @AfterEach
    void close() {
        browser.close();
    }

    private static String page() throws IOException {
        try (InputStream page = new HighwayStarEndpoint().star().getInputStream()) {
            return new String(page.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String json(Object report) throws IOException {
        return JSON.writeValueAsString(PlainValues.of(report));
    }

    /** The page with a report written into it, as the quickstart does. */
    private HtmlPage showing(HighwayReport report) throws IOException {
        return showing(json(report));
    }

    private HtmlPage showing(String json) throws IOException {
        return browser.loadHtmlCodeIntoCurrentWindow(
                page().replace(NO_REPORT, NO_REPORT + json.replace("<", "\\u003c")));
    }

    private static String text(HtmlPage page, String id) {
        return page.getElementById(id).getTextContent();
    }

    private static List<String> texts(HtmlPage page, String selector) {
        return page.querySelectorAll(selector).stream()
                .map(DomNode::getTextContent)
                .toList();
    }

    private JsonNode model(HighwayReport report) throws IOException {
        return model(json(report));
    }

    private JsonNode model(String json) throws IOException {
        String model = showing(json)
                .executeJavaScript("JSON.stringify(model(" + json + "))")
                .getJavaScriptResult()
                .toString();
        return JSON.readTree(model);
    }

    private static HighwayReport report(Map<String, Island> islands) {
        return new HighwayReport(
                "zhejiang",
                new HighwayReport.Policy(
                        "v7",
                        null,
                        HighwayReport.Policy.State.ACCEPTED,
                        "config-center",
                        "2026-11-30T08:00:00Z",
                        null,
                        null),
                3,
                new HighwayReport.Signing(null, List.of(), List.of()),
                List.of(new Gateway(
                        TunnelKind.DUBBO,
                        HOME,
                        "gateway.zhejiang.test",
                        20880,
                        false,
                        true,
                        TrafficClass.INTERACTIVE,
                        Gateway.State.UP,
                        null)),
                Map.of(),
                Map.of(),
                islands);
    }

    private static Island island(@Nullable Integer most, long inFlight, int failures, @Nullable LastOutcome last) {
        return island(Endpoint.State.UP, most, inFlight, failures, last, Map.of());
    }

    private static Island island(Endpoint.State... states) {
        return island(List.of(states), null, 0, 0, null, Map.of());
    }

    private static Island island(
            Endpoint.State state,
            @Nullable Integer most,
            long inFlight,
            int failures,
            @Nullable LastOutcome last,
            Map<String, Setting> settings) {
        return island(List.of(state), most, inFlight, failures, last, settings);
    }

    private static Island island(
            List<Endpoint.State> states,
            @Nullable Integer most,
            long inFlight,
            int failures,
            @Nullable LastOutcome last,
            Map<String, Setting> settings) {
        return new Island(
                TunnelKind.DUBBO,
                most,
                states.stream()
                        .map(state -> new Endpoint(
                                TunnelKind.DUBBO, HOME, state, state == Endpoint.State.UP ? null : "a problem", 12L))
                        .toList(),
                Map.of(),
                null,
                settings,
                inFlight,
                40,
                failures,
                last);
    }

    private static LastOutcome last(Reason reason, boolean servedAtHome) {
        return new LastOutcome(
                Outcome.NOT_SENT,
                reason,
                "com.foo.Sms#send",
                TunnelKind.DUBBO,
                HOME,
                servedAtHome,
                3,
                "2026-11-30T08:00:00Z");
    }

    @ParameterizedTest
    @CsvSource({
        "UP, ok",
        "UNKNOWN, idle",
        "SUSPECT, warn",
        "HALF_OPEN, warn",
        "SILENT, bad",
        "OPEN, bad",
        "DOWN, bad",
        "MISROUTED, wrong"
    })
    void everyStateHasAColour(Endpoint.State state, String kind) throws IOException {
        JsonNode island = model(report(Map.of("shanghai", island(state)))).at("/islands/0");

        assertThat(island.at("/kind").asText()).isEqualTo(kind);
        assertThat(island.at("/lines/0/kind").asText()).isEqualTo(kind);
        assertThat(island.at("/lines/0/state").asText()).isEqualTo(state.toString());
        assertThat(island.at("/lines/0/roundTrip").asText()).isEqualTo("12 ms");
    }

    @Test
    void anIslandIsCutOff_onlyIfNoEndpointReachesIt() throws IOException {
        JsonNode islands = model(report(Map.of("shanghai", island(Endpoint.State.UP, Endpoint.State.DOWN))))
                .at("/islands");

        assertThat(islands.at("/0/kind").asText()).isEqualTo("warn");
    }

    @Test
    void anIslandOfWhichOneServiceIsCutOff_isAmber_andNamesTheService() throws IOException {
        HighwayReport report =
                report(Map.of("beijing", island(Endpoint.State.DOWN), "shanghai", island(Endpoint.State.UP)));
        ObjectNode json = (ObjectNode) JSON.readTree(json(report));
        ((ObjectNode) json.at("/islands/shanghai/services"))
                .set("com.foo.Files", json.at("/islands/beijing/endpoints"));
        ((ObjectNode) json.path("islands")).remove("beijing");

        JsonNode shanghai = model(json.toString()).at("/islands/0");

        assertThat(shanghai.at("/kind").asText()).isEqualTo("warn");
        assertThat(shanghai.at("/notes").toString()).contains("com.foo.Files cannot be reached");
    }

    @Test
    void aMisroutedIsland_isInTheFirstSentence() throws IOException {
        HtmlPage page = showing(report(Map.of("shanghai", island(Endpoint.State.UP, Endpoint.State.MISROUTED))));

        assertThat(text(page, "summary"))
                .isEqualTo("Home zhejiang, 1 island: shanghai misrouted: another island answers.");
        assertThat(texts(page, "#star a.wrong text.name")).containsExactly("shanghai");
        assertThat(texts(page, "#islands .wrong"))
                .containsExactly("misrouted: another island answers", "dubbo " + HOME + ", misrouted, 12 ms");
    }

    @Test
    void anIslandIsFull_atItsLimit_orIfItRefusesCalls() throws IOException {
        assertThat(kind(island(20, 19, 0, null))).isEqualTo("ok");
        assertThat(kind(island(20, 20, 0, null))).isEqualTo("full");
        assertThat(kind(island(20, 3, 5, last(Reason.BUSY, false)))).isEqualTo("full");
        assertThat(kind(island(20, 3, 0, last(Reason.BUSY, false)))).isEqualTo("ok");
        assertThat(kind(island(null, 300, 0, null))).isEqualTo("ok");
    }

    private String kind(Island island) throws IOException {
        return model(report(Map.of("shanghai", island))).at("/islands/0/kind").asText();
    }

    @Test
    void namesWhoElseServesAnIslandsCalls() throws IOException {
        Map<String, Setting> settings =
                Map.of("served-by", new Setting("hangzhou", "highway.islands.shanghai.served-by", "application"));
        Island island = island(Endpoint.State.UP, null, 0, 2, last(Reason.NOT_FORWARDED, true), settings);

        JsonNode shown = model(report(Map.of("shanghai", island))).at("/islands/0");

        assertThat(shown.at("/notes/0").asText()).isEqualTo("its calls go to hangzhou");
        assertThat(shown.at("/notes/1").asText())
                .isEqualTo("the last call, com.foo.Sms#send, ended as not-sent, not-forwarded; home served it");
        assertThat(shown.at("/kind").asText()).isEqualTo("warn");
    }

    @Test
    void showsARealReport() throws IOException {
        String shanghais = dead("gateway.shanghai.test");
        try (Live home = new Live("gateway.zhejiang.test");
                TestRouting application = new TestRouting(
                        "gateways.dubbo",
                        home.address(),
                        "islands.beijing.tunnel",
                        "dubbo",
                        "islands.shanghai.tunnel",
                        "dubbo",
                        "islands.shanghai.gateways.dubbo",
                        shanghais,
                        "islands.shanghai.bulk.over",
                        "16KB")) {
            application.connected(home);
            application.runtime.activity().remember(ended("beijing", HOME, Outcome.DELIVERED, null, false));
            application
                    .runtime
                    .activity()
                    .remember(ended("shanghai", null, Outcome.NOT_SENT, Reason.GATEWAY_DOWN, false));

            HtmlPage page = showing(JSON.writeValueAsString(new HighwayEndpoint(application.runtime).highway()));

            assertThat(text(page, "summary"))
                    .startsWith(
                            "Home zhejiang, 2 islands: shanghai cannot be reached. Gateways down: dubbo " + shanghais);
            assertThat(text(page, "policy")).startsWith("Policy static, since 20");
            assertThat(texts(page, "#islands th")).containsExactly("beijing", "shanghai");
            assertThat(texts(page, "#islands tr:nth-child(2) td"))
                    .startsWith("cannot be reached", "1", "1", "0, bulk 0 of 2")
                    .last()
                    .asString()
                    .contains("com.foo.Sms#send, ended as not-sent, gateway-down");
            assertThat(texts(page, "#gateways th")).contains("dubbo " + home.address(), "dubbo " + shanghais);
        }
    }

    /** With the keyboard, and for a screen reader. */
    @Test
    void everyNodeLeadsToItsRow_andSaysWhatItIs() throws IOException {
        HtmlPage page =
                showing(report(Map.of("shanghai", island(Endpoint.State.UP), "beijing", island(Endpoint.State.DOWN))));

        List<DomNode> nodes = page.querySelectorAll("#star a").stream().toList();
        assertThat(nodes).hasSize(4).allSatisfy(node -> {
            String row =
                    node.getAttributes().getNamedItem("href").getNodeValue().substring(1);
            assertThat(page.getElementById(row)).as(row).isNotNull();
            assertThat(node.getAttributes().getNamedItem("aria-label").getNodeValue())
                    .isNotEmpty();
        });
        assertThat(texts(page, "#star svg > title")).containsExactly("The star of zhejiang");
        assertThat(texts(page, "#star svg > desc").get(0)).contains("beijing cannot be reached");
        assertThat(page.getElementById("summary").getAttribute("aria-live")).isEqualTo("polite");
        assertThat(texts(page, "#legend li")).hasSize(6);
    }

    @Test
    void everyTextOfAReportIsText() throws IOException {
        String evil = "<img src=x onerror=alert(1)>";
        Island island =
                island(Endpoint.State.UP, null, 0, 1, null, Map.of("served-by", new Setting(evil, "highway.x", evil)));
        HtmlPage page = showing(report(Map.of(evil, island, "</script><script>alert(2)</script>", island)));

        assertThat(page.querySelectorAll("img").stream()).isEmpty();
        assertThat(texts(page, "#islands th")).contains(evil, "</script><script>alert(2)</script>");
        assertThat(texts(page, "#islands td")).contains("its calls go to " + evil);
        assertThat(alerts.getCollectedAlerts()).isEmpty();
    }

    @Test
    void isOnePage_thatNeedsNothingElse() throws IOException {
        String page = page();

        assertThat(page.lines().count()).isLessThanOrEqualTo(300);
        assertThat(page)
                .isASCII()
                .doesNotContain("innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "src=", "<link");
        assertThat(Pattern.compile("https?://[a-z0-9.]+")
                        .matcher(page)
                        .results()
                        .map(MatchResult::group))
                .containsOnly("http://www.w3.org");
        assertThat(page).contains("default-src 'none'");
    }

    @Test
    void drawsTheWorstIslandsOnly_ifThereAreMany() throws IOException {
        Map<String, Island> islands = new TreeMap<>();
        for (int i = 0; i < 100; i++) {
            islands.put("island-" + i, island(i == 99 ? Endpoint.State.OPEN : Endpoint.State.UP));
        }

        HtmlPage page = showing(report(islands));

        assertThat(texts(page, "#star text.name")).hasSize(1 + 1 + 40).contains("island-99");
        assertThat(texts(page, "#islands th")).hasSize(100);
        assertThat(text(page, "star")).contains("Drawn: the 40 islands in the worst state");
    }

    @Test
    void saysWhatIsNoReport() throws IOException {
        assertThat(text(showing("[]"), "summary"))
                .isEqualTo("This is no report of /actuator/highway: it has no home and no islands.");
    }

    /** What {@code /actuator/highway} answers is drawn; once it does not, the page says so. */
    @Test
    void readsTheEndpointBesideIt() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        byte[] page = page().getBytes(StandardCharsets.UTF_8);
        byte[] report =
                json(report(Map.of("shanghai", island(Endpoint.State.UP)))).getBytes(StandardCharsets.UTF_8);
        server.createContext("/actuator/highwaystar", exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "text/html");
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        HttpContext endpoint = server.createContext("/actuator/highway", exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, report.length);
            exchange.getResponseBody().write(report);
            exchange.close();
        });
        server.start();
        try {
            String address = "http://127.0.0.1:" + server.getAddress().getPort() + "/actuator/highwaystar";

            HtmlPage live = browser.getPage(address);
            browser.waitForBackgroundJavaScriptStartingBefore(1000);
            assertThat(text(live, "summary")).isEqualTo("Home zhejiang, 1 island: none fails.");
            assertThat(text(live, "at")).startsWith("Read at");

            server.removeContext(endpoint);
            live.executeJavaScript("poll()");
            browser.waitForBackgroundJavaScriptStartingBefore(1000);
            assertThat(text(live, "summary")).startsWith("/actuator/highway answers 404");
            assertThat(live.getElementById("star").getAttribute("class")).isEqualTo("stale");
        } finally {
            server.stop(0);
        }
    }
}
