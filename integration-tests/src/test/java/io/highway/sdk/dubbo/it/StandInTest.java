// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.HighwayProbe;
import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.HighwayReport.Endpoint.State;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.call.CanonicalMethod;
import io.highway.sdk.dubbo.internal.operate.audit.AuditTrail;
import io.highway.sdk.dubbo.internal.signature.CallSigner;
import io.highway.sdk.dubbo.it.RawHttpCaller.Answer;
import io.highway.sdk.dubbo.it.RawHttpCaller.Call;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Shanghai consents to serve some calls that asked for beijing, and all that asked for tianjin. */
@Tag("network")
class StandInTest {

    private static final String[] STRING = {"java.lang.String"};

    private static AuditTrail trail;
    private static GuardedIsland shanghai;
    private static GuardedIsland strict;
    private static GuardedIsland shadow;
    private static final List<TestApplication> callers = new ArrayList<>();

    @BeforeAll
    static void start() {
        trail = new AuditTrail();
        String[] consent = {
            "highway.guard.stands-in-for.beijing",
            "sell*," + Shop.class.getName() + "#refuse",
            "highway.guard.stands-in-for.tianjin",
            "*",
            "highway.audit.enabled",
            "true"
        };
        shanghai = new GuardedIsland(consent);
        List<String> signed = new ArrayList<>(List.of(consent));
        signed.addAll(List.of("highway.sign.accept.zj", "of zhejiang", "highway.sign.accept-from.zj", "zhejiang/*"));
        strict = new GuardedIsland(signed.toArray(String[]::new));
        shadow = new GuardedIsland("highway.guard.stands-in-for.beijing", "sell", "highway.guard.mode", "shadow");
    }

    @AfterAll
    static void stop() {
        callers.forEach(TestApplication::close);
        shanghai.close();
        strict.close();
        shadow.close();
        trail.close();
    }

    @BeforeEach
    void forget() {
        shanghai.shop.received.clear();
        strict.shop.received.clear();
        shadow.shop.received.clear();
        trail.forget();
    }

    /** A caller whose calls for beijing, and for guangzhou, arrive in shanghai: a hub leads them there. */
    private static TestApplication caller(GuardedIsland island, TunnelKind tunnel, String... more) {
        List<String> keys = new ArrayList<>(List.of(more));
        keys.addAll(List.of(
                "highway.gateways.dubbo",
                island.dubboAddress,
                "highway.gateways.triple",
                island.tripleAddress,
                "highway.gateways.http",
                island.httpAddress,
                "highway.defaults.tunnel",
                tunnel.word(),
                "highway.islands.beijing.tunnel",
                tunnel.word(),
                "highway.islands.guangzhou.tunnel",
                tunnel.word()));
        TestApplication caller = island.caller("zhejiang", Tunnel.DUBBO, keys.toArray(String[]::new));
        callers.add(caller);
        return caller;
    }

    private static ShopReferences references(TestApplication caller) {
        return ShopReferences.of(caller, shanghai.dubboAddress);
    }

    private static State stateOfBeijing(TestApplication caller) {
        return HighwayReport.of(caller.model())
                .orElseThrow()
                .islands()
                .get("beijing")
                .endpoints()
                .get(0)
                .state();
    }

    @ParameterizedTest
    @EnumSource
    void servesWhatItConsentsTo_andNothingElse(TunnelKind tunnel) {
        TestApplication caller = caller(shanghai, tunnel);
        Shop beijing = Highway.to("beijing").bind(Shop.class, references(caller).typed());

        assertThat(beijing.sell("tea")).isEqualTo("shanghai:tea");
        assertThat(beijing.sellLater("tea").join()).isEqualTo("shanghai:tea");
        HighwayException refused = catchThrowableOfType(HighwayException.class, () -> beijing.note("tea"));

        assertThat(refused)
                .hasMessageContaining("not-standby; shanghai does not serve")
                .hasMessageContaining("for beijing; see highway.guard.stands-in-for.<island> in shanghai");
        assertThat(refused.reason()).isEqualTo(Reason.REFUSED_THERE);
        assertThat(refused.mayHaveRun()).isFalse();
        assertThat(stateOfBeijing(caller)).isEqualTo(State.UP);
        assertThat(shanghai.shop.received).hasSize(2);
        assertThat(beijing.sell("tea")).isEqualTo("shanghai:tea");
    }

    @ParameterizedTest
    @EnumSource
    void isAnotherIsland_forWhomItHasNoConsent(TunnelKind tunnel) {
        Shop guangzhou = Highway.to("guangzhou")
                .bind(Shop.class, references(caller(shanghai, tunnel)).typed());

        assertThat(catchThrowableOfType(HighwayException.class, () -> guangzhou.sell("tea")))
                .hasMessageContaining("wrong-island; this is shanghai");
        assertThat(shanghai.shop.received).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void theShadowModeOfTheGuard_doesNotWeakenIt(TunnelKind tunnel) {
        Shop beijing = Highway.to("beijing")
                .bind(Shop.class, references(caller(shadow, tunnel)).typed());

        assertThat(beijing.sell("tea")).isEqualTo("shanghai:tea");
        assertThat(catchThrowableOfType(HighwayException.class, () -> beijing.note("tea")))
                .hasMessageContaining("not-standby");
        assertThat(shadow.shop.received).hasSize(1);
    }

    /** What a generic call calls is in its body. */
    @ParameterizedTest
    @EnumSource
    void readsWhatAGenericCallCalls(TunnelKind tunnel) {
        GenericService beijing = Highway.to("beijing")
                .bind(
                        GenericService.class,
                        references(caller(
                                        strict,
                                        tunnel,
                                        "highway.sign.key-id",
                                        "zj",
                                        "highway.sign.secret",
                                        "of zhejiang"))
                                .generic());

        assertThat(beijing.$invoke("sell", STRING, new Object[] {"tea"})).isEqualTo("shanghai:tea");
        assertThat(catchThrowableOfType(
                        HighwayException.class, () -> beijing.$invoke("note", STRING, new Object[] {"tea"})))
                .hasMessageContaining("not-standby");
        assertThat(strict.shop.received).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void answersHealthChecks_inTheNameOfTheIslandThatWasAskedFor(TunnelKind tunnel) {
        TestApplication caller = caller(shanghai, tunnel);
        Shop unused = references(caller).typed();

        assertThat(HighwayProbe.run(caller.model(), "beijing")).singleElement().satisfies(probe -> {
            assertThat(probe.reachable()).as(probe.toString()).isTrue();
            assertThat(probe.endpoints())
                    .allSatisfy(
                            endpoint -> assertThat(endpoint.guard().island()).isEqualTo("beijing"));
        });
    }

    @Test
    void theAuditTellsWhoServed_andWhoWasAsked() throws IOException {
        try (RawHttpCaller peer = new RawHttpCaller(shanghai.httpAddress)) {
            assertThat(peer.call(forBeijing("sell")).result()).isEqualTo("shanghai:tea");
        }

        String to = "{\"island\":\"shanghai\",\"asked\":\"beijing\",\"service\":\"" + Shop.class.getName()
                + "\",\"method\":\"sell\"}";
        await().untilAsserted(() -> assertThat(trail.awaitEnds("in", 1)) // a line of the test before may be late
                .anySatisfy(line -> assertThat(line.get("to")).hasToString(to)));
    }

    private static Call forBeijing(String method) {
        Call call = new Call(method, "Ljava/lang/String;", "tea").route("highway-island", "beijing");
        call.path = call.path.replace("/shanghai/", "/beijing/");
        return call;
    }

    /** A caller may ask here for another island, too: its route leads here on purpose. */
    @ParameterizedTest
    @CsvSource({
        "sell, zhejiang/orders/1/beijing, ''",
        "note, zhejiang/orders/1/beijing, not-standby",
        "sell, zhejiang/orders/1/guangzhou, not-standby",
        "sell, zhejiang/orders/1/Beijing, not-standby",
        "sell, zhejiang/orders/1/, not-standby",
        "note, zhejiang/orders/1/shanghai, ''",
        "note, zhejiang/orders/1/tianjin, ''",
    })
    void readsTheIslandThatWasAskedFor_fromTheSender(String method, String from, String refusal) throws IOException {
        CallSigner signer = TestSigner.of("zhejiang", "zj", "of zhejiang");
        CanonicalMethod called = new CanonicalMethod(method, List.of(STRING));
        Call call = new Call(method, "Ljava/lang/String;", "tea").header("highway-call-id", null);
        call.route("highway-from", from);
        call.route("highway-sign", signer.sign("shanghai", from, RawHttpCaller.SERVICE, called));
        try (RawHttpCaller peer = new RawHttpCaller(strict.httpAddress)) {
            Answer answer = peer.call(call);

            assertThat(strict.shop.received).hasSize(refusal.isEmpty() ? 1 : 0);
            if (!refusal.isEmpty()) {
                assertThat(answer.attachments().get("highway-refused"))
                        .asString()
                        .startsWith("shanghai;" + refusal);
            }
        }
    }

    @Test
    void aForgedSender_isRefused() throws IOException {
        CallSigner signer = TestSigner.of("zhejiang", "zj", "of zhejiang");
        CanonicalMethod called = new CanonicalMethod("note", List.of(STRING));
        String signed = signer.sign("shanghai", "zhejiang/orders/1/beijing", RawHttpCaller.SERVICE, called);
        try (RawHttpCaller peer = new RawHttpCaller(strict.httpAddress)) {
            for (int i = 0; i < 1000; i++) {
                String from = i % 2 == 0 ? "zhejiang/orders/1/tianjin" : "zhejiang/orders/1";
                Call call = new Call("note", "Ljava/lang/String;", "tea").header("highway-call-id", null);
                call.route("highway-from", from).route("highway-sign", signed);

                assertThat(peer.call(call).attachments().get("highway-refused"))
                        .asString()
                        .startsWith("shanghai;wrong-signature");
            }
        }
        assertThat(strict.shop.received).isEmpty();
    }
}
