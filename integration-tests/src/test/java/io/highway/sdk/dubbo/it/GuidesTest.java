// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.StringValue;
import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.it.GuideSnippets.EitherCentre;
import io.highway.sdk.dubbo.it.GuideSnippets.SmsService;
import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.fixtures.faults.FaultyLinks;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The programs and the configuration of {@code docs/guides} do what the pages say. */
@Tag("network")
class GuidesTest {

    private static final String FAILS = "fails";
    private static final List<AutoCloseable> OPENED = new ArrayList<>();

    private static FaultyLinks links;
    private static Centre east;
    private static Centre west;
    private static Centre shanghai;

    /** A data centre with a provider, and a gateway in front of it. */
    private static final class Centre implements SmsService {

        private final String island;
        private final String host;
        private final String provider;
        private final String triple;
        private final Gateway gateway;
        private final AtomicInteger runs = new AtomicInteger();

        Centre(String island, String host) {
            this.island = island;
            this.host = host;
            TestApplication application = closing(new TestApplication(host, Map.of("highway.island", island)));
            provider = application.listen("dubbo");
            triple = application.listen("tri");
            Echoes.register();
            application
                    .export(SmsService.class, this, service -> {})
                    .export(Echoes.class, new Echoes.Provider(), service -> {})
                    .start();
            gateway = closing(Gateway.start(GatewayConfig.builder()
                    .island(island)
                    .listen("gateway." + host + ".test", 0)
                    .providers(island, "*", List.of(provider), List.of(triple))
                    .build()));
        }

        String gatewayAddress() {
            return "gateway." + host + ".test:" + gateway.port();
        }

        /** The port of its provider for the Dubbo protocol. */
        int port() {
            return Integer.parseInt(provider.substring(provider.indexOf(':') + 1));
        }

        /** A gateway in this data centre that leads to the other one. */
        Gateway towards(Centre other) {
            return closing(Gateway.start(GatewayConfig.builder()
                    .island(island)
                    .listen("gateway." + host + ".test", 0)
                    .next(other.island, List.of(other.gatewayAddress()))
                    .build()));
        }

        @Override
        public String send(String text) {
            runs.incrementAndGet();
            if (text.equals(FAILS)) {
                throw new RpcException("the phone network is down");
            }
            return text + " in " + island;
        }
    }

    @BeforeAll
    static void start() {
        links = closing(new FaultyLinks());
        east = new Centre("east", "zhejiang");
        west = new Centre("west", "beijing");
        shanghai = new Centre("shanghai", "shanghai");
    }

    private static <C extends AutoCloseable> C closing(C one) {
        OPENED.add(one);
        return one;
    }

    @AfterAll
    static void stop() throws Exception {
        for (int i = OPENED.size() - 1; i >= 0; i--) {
            OPENED.get(i).close();
        }
    }

    /** What {@code same-city.md} configures in east, with the addresses of these gateways. */
    private static Map<String, String> sameCity(Gateway... gateways) throws IOException {
        Path page = Path.of("").toAbsolutePath().getParent().resolve("docs/guides/same-city.md");
        Matcher block = Pattern.compile("(?s)```properties\\n(.*?)```").matcher(Files.readString(page));
        assertThat(block.find()).isTrue();
        Properties written = new Properties();
        written.load(new StringReader(block.group(1)));
        Map<String, String> properties = new HashMap<>();
        written.forEach((key, value) -> {
            String real = value.toString();
            for (int i = 0; i < gateways.length; i++) {
                real = real.replaceAll(
                        "gateway-" + i + "\\.east\\.test:\\d+", "gateway.zhejiang.test:" + gateways[i].port());
            }
            properties.put(key.toString().replace("com.foo.SmsService", SmsService.class.getName()), real);
        });
        return properties;
    }

    private static SmsService sms(Map<String, String> properties, String home) {
        return closing(new TestApplication("zhejiang", properties))
                .reference(SmsService.class, config -> {
                    config.setUrl("dubbo://" + home);
                    config.setCheck(false);
                })
                .get();
    }

    @Test
    void sameCity_callsGoToTheOtherCentre_whileHomeHasNoProvider() throws Exception {
        FaultyLink home = links.link(0, east.port());
        SmsService sms = sms(sameCity(east.towards(west), east.towards(west)), FaultyStar.address(home.port()));
        await().untilAsserted(() -> assertThat(sms.send("hello")).isEqualTo("hello in east"));

        home.refuse();
        home.reset();

        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(sms.send("hello")).isEqualTo("hello in west"));
    }

    @Test
    void sameCity_aCallForTheOtherCentre_usesTheNextGateway_thenHome() throws Exception {
        Gateway first = east.towards(west);
        Gateway second = east.towards(west);
        SmsService inWest = Highway.to("west").bind(SmsService.class, sms(sameCity(first, second), east.provider));
        assertThat(Stream.generate(() -> inWest.send("hello")).limit(10)).containsOnly("hello in west");

        first.closeNow();
        String overTheNext = inWest.send("hello");
        second.closeNow();

        assertThat(overTheNext).isEqualTo("hello in west");
        await().untilAsserted(() -> assertThat(inWest.send("hello")).isEqualTo("hello in east"));
        assertThat(inWest.send("hello")).isEqualTo("hello in east");
    }

    @ParameterizedTest
    @EnumSource
    void sameCity_aCallThatMayHaveRun_isNotMadeInTheOtherCentre(Tunnel tunnel) {
        FaultyLink toEast = links.link(0, east.gateway.port());
        EitherCentre either = new EitherCentre(sms(
                Map.of(
                        "highway.island",
                        "guangdong",
                        "highway.islands.east.gateways." + tunnel.key(),
                        FaultyStar.address(toEast.port()),
                        "highway.islands.west.gateways." + tunnel.key(),
                        west.gatewayAddress()),
                west.provider));
        int before = west.runs.get();

        HighwayException failed = catchThrowableOfType(HighwayException.class, () -> either.send(FAILS));
        int after = west.runs.get();
        toEast.refuse();
        toEast.reset();

        assertThat(failed.mayHaveRun()).isTrue();
        assertThat(after).isEqualTo(before);
        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(either.send("hello")).isEqualTo("hello in west"));
    }

    private static TestApplication toShanghai(Tunnel tunnel) {
        return closing(new TestApplication(
                "zhejiang",
                Map.of(
                        "highway.island",
                        "zhejiang",
                        "highway.islands.shanghai.gateways." + tunnel.key(),
                        shanghai.gatewayAddress())));
    }

    @ParameterizedTest
    @EnumSource
    void idlGeneric_aGenericCallReachesTheIsland(Tunnel tunnel) throws Exception {
        GenericService sms = toShanghai(tunnel)
                .reference(GenericService.class, config -> {
                    config.setUrl("dubbo://" + east.provider);
                    config.setInterface(SmsService.class.getName());
                    config.setGeneric("true");
                })
                .get();

        assertThat(GuideSnippets.generic(sms)).isEqualTo("hello in shanghai");
        assertThat(GuideSnippets.genericLater(sms, new String[] {"java.lang.String"}, new Object[] {"hello"})
                        .get(20, TimeUnit.SECONDS))
                .isEqualTo("hello in shanghai");
    }

    @Test
    void idlGeneric_aCallByAGeneratedStubReachesTheIsland() {
        Echoes echoes = echoes(Tunnel.TRIPLE, Echoes.class, null);

        assertThat(GuideSnippets.protobuf(echoes)).isEqualTo("hello");
    }

    private static <S> S echoes(Tunnel tunnel, Class<S> type, String generic) {
        return toShanghai(tunnel)
                .reference(type, config -> {
                    config.setUrl("tri://" + east.triple);
                    config.setInterface(Echoes.class.getName());
                    config.setGeneric(generic);
                    config.setCheck(false);
                })
                .get();
    }

    @Test
    void idlGeneric_aGeneratedStubNeedsTriple() {
        Echoes echoes = echoes(Tunnel.DUBBO, Echoes.class, null);

        HighwayException failed = catchThrowableOfType(HighwayException.class, () -> GuideSnippets.protobuf(echoes));

        assertThat(failed.reason()).isEqualTo(Reason.SERIALIZATION);
        assertThat(failed.mayHaveRun()).isFalse();
    }

    /** Dubbo's {@code GenericFilter} fails at the provider; Dubbo 3.2 answers it as a status. */
    @Test
    void idlGeneric_aGeneratedServiceHasNoGenericCalls() {
        GenericService echoes = echoes(Tunnel.TRIPLE, GenericService.class, "true");
        String[] types = {StringValue.class.getName()};
        Object[] hello = {new HashMap<>(Map.of("value", "hello"))};

        Throwable failed =
                catchThrowable(() -> Highway.to("shanghai").call(() -> echoes.$invoke("echo", types, hello)));

        assertThat(failed).hasStackTraceContaining("NullPointerException");
    }
}
