// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.Caller;
import io.highway.sdk.dubbo.GuardListener.GuardEvent;
import io.highway.sdk.dubbo.internal.call.CanonicalMethod;
import io.highway.sdk.dubbo.internal.signature.CallSigner;
import io.highway.sdk.dubbo.it.RawCaller.Field;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A raw peer writes a route header twice, in another spelling, or in another form. It has a key for its own island, and
 * claims to be another one: the guard and the service see the caller that the key proves, or the call is refused.
 */
@Tag("network")
class RepeatedHeadersTest {

    private static final String OWN = "jiangsu/jiangsu-app/1";
    private static final String CLAIMED = "zhejiang/jiangsu-app/1";
    private static final Caller PROVEN = Caller.signed("jiangsu", "jiangsu-app", "js", Caller.Proof.ISLAND);

    /** Dubbo renames attachments of Triple as the field of this name says. */
    private static final String RENAMING = "tri-header-convert";

    private static final String SIGNATURE = "<signature ";
    private static final Pattern PLACE_OF_SIGNATURE = Pattern.compile(SIGNATURE + "(\\S+) (\\S+)>");
    private static final Base64.Encoder BASE64 = Base64.getEncoder().withoutPadding();

    private static GuardedIsland shanghai;
    private static RawCaller caller;
    private static CallSigner signer;

    @BeforeAll
    static void start() {
        shanghai = new GuardedIsland(
                "highway.guard.gateways", "127.0.0.2",
                "highway.sign.accept.js", "of jiangsu",
                "highway.sign.accept-from.js", "jiangsu/*",
                "highway.sign.accept.zj", "of zhejiang",
                "highway.sign.accept-from.zj", "zhejiang/*");
        caller = new RawCaller(shanghai.gatewayAddress());
        signer = TestSigner.of("jiangsu", "js", "of jiangsu");
    }

    @AfterAll
    static void stop() {
        caller.close();
        shanghai.close();
    }

    @BeforeEach
    void forget() {
        shanghai.shop.received.clear();
        shanghai.events.clear();
    }

    private static Field island(String value) {
        return new Field("highway-island", value);
    }

    private static Field from(String value) {
        return new Field("highway-from", value);
    }

    private static Field sign(String island, String from) {
        return new Field("highway-sign", SIGNATURE + island + " " + from + ">");
    }

    /** With signatures in place of their placeholders: each is valid once. */
    private static Field signed(Field field) {
        if (field.value() == null) {
            return field;
        }
        CanonicalMethod sell = new CanonicalMethod("sell", List.of("java.lang.String"));
        String value = PLACE_OF_SIGNATURE
                .matcher(field.value())
                .replaceAll(place -> signer.sign(place.group(1), place.group(2), Shop.class.getName(), sell));
        return field.name().endsWith("-bin")
                ? new Field(field.name(), BASE64.encodeToString(value.getBytes(StandardCharsets.US_ASCII)))
                : new Field(field.name(), value);
    }

    private static Field sign() {
        return sign("shanghai", OWN);
    }

    /** What is correct alone, and what replaces each header or contradicts it. */
    private static Map<String, List<Field>> attacks(Tunnel tunnel) {
        Map<String, List<Field>> attacks = new LinkedHashMap<>();
        for (Field[] pair : new Field[][] {
            {from(OWN), from(CLAIMED), island("shanghai"), sign()},
            {from(OWN), from(CLAIMED), island("shanghai"), sign("shanghai", CLAIMED)},
            {island("shanghai"), island("beijing"), from(OWN), sign()},
            {island("shanghai"), island("beijing"), from(OWN), sign("beijing", OWN)},
            {sign(), sign("shanghai", CLAIMED), island("shanghai"), from(OWN)},
            {sign(), sign("shanghai", CLAIMED), island("shanghai"), from(CLAIMED)},
            {sign(), new Field("highway-sign", "v2;kid=zj"), island("shanghai"), from(OWN)}
        }) {
            Field right = pair[0];
            Field wrong = pair[1];
            List<Field> rest = List.of(pair[2], pair[3]);
            for (Field other : inOtherForms(tunnel, wrong)) {
                add(attacks, rest, right, other);
                add(attacks, rest, other, right);
                add(attacks, rest, other);
            }
            for (Field other : inOtherForms(tunnel, right)) {
                add(attacks, rest, wrong, other);
                add(attacks, rest, other, wrong);
            }
            add(attacks, rest, new Field(right.name(), right.value() + "," + wrong.value()));
            if (tunnel == Tunnel.TRIPLE) {
                add(attacks, rest, right, renamed(right.name(), upperCase(right.name())));
                add(attacks, rest, right, wrong, renamed(right.name(), upperCase(right.name())));
                add(attacks, rest, right, new Field("x-y", wrong.value()), renamed("x-y", right.name()));
                add(attacks, rest, wrong, new Field("x-y", right.value()), renamed("x-y", right.name()));
            } else {
                add(attacks, rest, right, new Field(right.name(), null));
                add(attacks, rest, new Field(right.name(), null), right);
            }
        }
        List<Field> all = List.of(island("shanghai"), from(OWN), sign());
        if (tunnel == Tunnel.TRIPLE) {
            String names = all.stream()
                    .map(field -> "\"" + field.name() + "\":\"" + upperCase(field.name()) + "\"")
                    .collect(Collectors.joining(","));
            add(attacks, all, new Field(RENAMING, URLEncoder.encode("{" + names + "}", StandardCharsets.UTF_8)));
        } else {
            add(attacks, all, new Field("highway-from", null), new Field("highway-sign", null));
            add(attacks, all, island(null), from(null), new Field("highway-sign", null));
        }
        return attacks;
    }

    private static void add(Map<String, List<Field>> attacks, List<Field> rest, Field... fields) {
        List<Field> all = new ArrayList<>(rest);
        all.addAll(Arrays.asList(fields));
        attacks.put(attacks.size() + " " + all, all);
    }

    private static String upperCase(String name) {
        return name.replace("highway-", "Highway-");
    }

    private static List<Field> inOtherForms(Tunnel tunnel, Field field) {
        if (tunnel == Tunnel.DUBBO) {
            return List.of(
                    field,
                    new Field(upperCase(field.name()), field.value()),
                    new Field(field.name().toUpperCase(Locale.ROOT), field.value()));
        }
        return List.of(field, new Field(field.name() + "-bin", field.value()));
    }

    private static Field renamed(String from, String to) {
        return new Field(RENAMING, URLEncoder.encode("{\"" + from + "\":\"" + to + "\"}", StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @EnumSource
    void servesNoOneButTheProvenCaller(Tunnel tunnel) throws Exception {
        List<String> wrong = new ArrayList<>();
        for (Map.Entry<String, List<Field>> attack : attacks(tunnel).entrySet()) {
            shanghai.events.clear();
            shanghai.shop.received.clear();
            List<Field> fields =
                    attack.getValue().stream().map(RepeatedHeadersTest::signed).toList();
            String answer = caller.sell(tunnel, "jiangsu-app", fields);
            List<ShopKeeper.Received> received = new ArrayList<>(shanghai.shop.received);
            boolean isClean = received.stream()
                    .allMatch(call -> PROVEN.equals(call.caller())
                            && call.attachments().keySet().stream()
                                    .noneMatch(key -> key.regionMatches(true, 0, "highway-", 0, 8)));
            boolean isEitherWay = received.size() + shanghai.events.size() <= 1
                    && answer.contains("shanghai:tea") == (received.size() == 1);
            boolean isReportedAsItself = shanghai.events.stream()
                    .map(GuardEvent::caller)
                    .allMatch(reported -> reported == null || !reported.isIslandVerified() || PROVEN.equals(reported));
            if (!isClean || !isEitherWay || !isReportedAsItself) {
                wrong.add(attack.getKey() + ": received " + received + ", events " + shanghai.events + ", answer "
                        + answer);
            }
        }

        assertThat(wrong).isEmpty();
        String from = "jiangsu/jiangsu-app/1";
        List<Field> once = List.of(island("shanghai"), from(from), signed(sign("shanghai", from)));
        assertThat(caller.sell(tunnel, "jiangsu-app", once)).contains("shanghai:tea");
    }
}
