// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.signature;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.Caller;
import io.highway.sdk.dubbo.ReplayStore;
import io.highway.sdk.dubbo.internal.call.CanonicalMethod;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.PolicyParser;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SignatureTest {

    private static final long NOW = 1_795_200_000;
    private static final String FROM = "zhejiang/shop/1";
    private static final String SERVICE = "blue/com.foo.Ledger:2.0.0";
    private static final CanonicalMethod BALANCE = new CanonicalMethod("balance", List.of("java.lang.String"));
    private static final Caller SHOP = Caller.of("zhejiang", "shop");
    private static final String SECRET = "s3cr3t 密";

    private final AtomicLong seconds = new AtomicLong(NOW);
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final List<SignatureService> opened = new ArrayList<>();
    private final CallSigner signer =
            signatures("sign.key-id=zhejiang-2026", "sign.secret=" + SECRET).signerTo("shanghai");
    private final CallVerifier verifier = verifier();

    @AfterEach
    void close() {
        opened.forEach(SignatureService::destroy);
    }

    private SignatureService signatures(String... keys) {
        return signatures(null, keys);
    }

    private SignatureService signatures(ReplayStore store, String... keys) {
        Map<String, String> all = new HashMap<>(Map.of("highway.island", "shanghai"));
        for (String key : keys) {
            int equals = key.indexOf('=');
            all.put("highway." + key.substring(0, equals), key.substring(equals + 1));
        }
        Policy policy =
                PolicyParser.parse(RawSettings.of(all, "test"), "static", null).orElseThrow();
        SignatureService signatures = SignatureService.of(policy, store, seconds::get, nanos::get);
        opened.add(signatures);
        return signatures;
    }

    private CallVerifier verifier(String... more) {
        return verifier(null, more);
    }

    private CallVerifier verifier(ReplayStore store, String... more) {
        List<String> keys = new ArrayList<>(List.of("sign.accept.zhejiang-2026=" + SECRET, "sign.accept.other=other"));
        keys.addAll(List.of(more));
        return signatures(store, keys.toArray(String[]::new)).verifier();
    }

    private String signed() {
        return signer.sign("shanghai", FROM, SERVICE, BALANCE);
    }

    private Verification verify(String sign) {
        return verifier.verify("shanghai", FROM, sign, SHOP, SERVICE, BALANCE);
    }

    @Test
    void signsInOneShortAsciiValue_anewForEachAttempt() {
        assertThat(signed())
                .matches("v2;kid=zhejiang-2026;ts=" + NOW + ";n=[A-Za-z0-9_-]{22};sig=[A-Za-z0-9_-]{43}")
                .isNotEqualTo(signed());
    }

    /** The example of docs/reference/wire-contract.md: another implementation can check itself with it. */
    @Test
    void coversTheFieldsAsDocumented() {
        byte[] form = CanonicalForm.of(
                "zhejiang-2026", "1795200000", "AAAAAAAAAAAAAAAAAAAAAA", "shanghai", FROM, SERVICE, BALANCE);

        assertThat(form).startsWith(0, 0, 0, 2, 'v', '2', 0, 0, 0, 13, 'z').endsWith("java.lang.String".getBytes());
        assertThat(new KeyedMac("secret").sign(form))
                .asString()
                .isEqualTo("sPnkS5w49S-umR_2V-Hda5Yeb65d9n6-2opCoTvjHf4");
    }

    @Test
    void isValidOnce() {
        String sign = signed();

        assertThat(verify(sign).reason()).isNull();
        assertThat(verify(sign))
                .returns("replayed", Verification::reason)
                .returns(true, Verification::mayHaveRun)
                .returns(null, Verification::caller);
        assertThat(verify(signed()).reason()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"-61, 61", "-60,", "-50,", "0,", "50,", "60,", "61, 61", "73, 73", "-4000, 4000"})
    void isValidForAMinute_beforeAndAfter(long later, String difference) {
        String sign = signed();
        seconds.addAndGet(later);

        Verification verdict = verify(sign);

        assertThat(verdict.reason()).isEqualTo(difference == null ? null : "expired-signature");
        if (difference != null) {
            assertThat(verdict.detail()).startsWith("the clocks differ by " + difference + " s, allowed are 60; ");
            assertThat(verdict.mayHaveRun())
                    .as("it ran before, or is valid later")
                    .isTrue();
        }
    }

    @Test
    void refusesAnUnsignedCall_andOneOfAnUnknownVersion() {
        assertThat(verify(null).reason()).isEqualTo("unsigned");
        assertThat(verify("v1;kid=zhejiang-2026;ts=" + NOW + ";sig=" + "A".repeat(43)))
                .returns("unreadable-signature", Verification::reason)
                .extracting(Verification::detail)
                .asString()
                .startsWith("it is not v2;kid=..;ts=..;n=..;sig=..; another version of the SDK wrote it");
        assertThat(verify(signed().replace("v2;", "v3;")))
                .returns("unreadable-signature", Verification::reason)
                .returns(
                        "it has version v3, and shanghai accepts v2; both need releases of the SDK with the same version",
                        Verification::detail);
    }

    @Test
    void refusesAnUnknownKey_andAnotherKeysSecret() {
        String sign = signed();

        assertThat(verify(sign.replace("zhejiang-2026", "beijing-2026")).reason())
                .isEqualTo("unknown-key");
        assertThat(verify(sign.replace("zhejiang-2026", "other")).reason()).isEqualTo("wrong-signature");
    }

    @Test
    void refusesEveryOtherCall() {
        CanonicalMethod transfer = new CanonicalMethod("transfer", BALANCE.types());
        CanonicalMethod overload = new CanonicalMethod("balance", List.of("java.lang.String", "int"));
        CanonicalMethod joined = new CanonicalMethod("balance", List.of("java.lang", "String"));
        CanonicalMethod untyped = new CanonicalMethod("balance", null);
        String sign = signed();

        for (Verification verdict : List.of(
                verifier.verify("shanghai", FROM, sign, SHOP, SERVICE, transfer),
                verifier.verify("shanghai", FROM, sign, SHOP, SERVICE, overload),
                verifier.verify("shanghai", FROM, sign, SHOP, SERVICE, joined),
                verifier.verify("shanghai", FROM, sign, SHOP, SERVICE, untyped),
                verifier.verify("shanghai", FROM, sign, SHOP, "com.foo.Ledger:2.0.0", BALANCE),
                verifier.verify("shanghai", FROM, sign, SHOP, "blue/com.foo.Ledger", BALANCE),
                verifier.verify("shanghai", FROM, sign, SHOP, "blue/com.foo.Other:2.0.0", BALANCE),
                verifier.verify("beijing", FROM, sign, SHOP, SERVICE, BALANCE),
                verifier.verify("shanghai", "zhejiang/bank/1", sign, SHOP, SERVICE, BALANCE),
                verifier.verify("shanghai", "zhejiang/shop/2", sign, SHOP, SERVICE, BALANCE),
                verifier.verify("shanghai", null, sign, null, SERVICE, BALANCE),
                verify(sign.replace("ts=" + NOW, "ts=" + (NOW + 1))),
                verify(sign.substring(0, sign.indexOf(";n=") + 3)
                        + "A".repeat(22)
                        + sign.substring(sign.indexOf(";sig="))),
                verify(sign.substring(0, sign.indexOf(";sig=") + 5) + "A".repeat(43)))) {
            assertThat(verdict.reason()).isEqualTo("wrong-signature");
        }
        assertThat(verify(sign).reason())
                .as("the refused ones did not use it up")
                .isNull();
    }

    @Test
    void takesTheVersion000AsNone() {
        String sign = signer.sign("shanghai", FROM, "com.foo.Ledger:0.0.0", BALANCE);

        assertThat(verifier.verify("shanghai", FROM, sign, SHOP, "com.foo.Ledger", BALANCE)
                        .reason())
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "garbage",
                ";;;",
                "v2",
                "v2;kid=",
                "v2;kid=;ts=1;n=#;sig=*",
                "v3;kid=zhejiang-2026;ts=1;n=#;sig=*",
                "v2;kid=Zhejiang;ts=1;n=#;sig=*",
                "v2;kid=zhejiang-2026;ts=;n=#;sig=*",
                "v2;kid=zhejiang-2026;ts=-1;n=#;sig=*",
                "v2;kid=zhejiang-2026;ts=+1;n=#;sig=*",
                "v2;kid=zhejiang-2026;ts=01;n=#;sig=*",
                "v2;kid=zhejiang-2026;ts=١;n=#;sig=*",
                "v2;kid=zhejiang-2026;ts=1234567890123;n=#;sig=*",
                "v2;kid=zhejiang-2026;ts=99999999999999999999;n=#;sig=*",
                "v2;ts=1;kid=zhejiang-2026;n=#;sig=*",
                "v2;kid=zhejiang-2026;ts=1;n=#=;sig=*",
                "v2;kid=zhejiang-2026;ts=1;n=;sig=*",
                "v2;kid=zhejiang-2026;ts=1;n=#;sig=*=",
                "v2;kid=zhejiang-2026;ts=1;n=#;sig=*;more",
                "v2;kid=zhejiang-2026;ts=1;n=#;sig=",
                "v2;kid=zhejiang-2026;ts=1;sig=*;n=#",
                " v2;kid=zhejiang-2026;ts=1;n=#;sig=*",
                "(java.lang.Integer)"
            })
    void refusesGarbage(String header) {
        String sign = header.replace("#", "A".repeat(22)).replace("*", "B".repeat(43));

        assertThat(verify(sign).reason()).isEqualTo("unreadable-signature");
    }

    @ParameterizedTest
    @CsvSource({
        "zhejiang/*, ISLAND, wrong-key ",
        "*/*, KEY,",
        "*/shop, KEY,",
        "zhejiang/sh*, ISLAND, wrong-key",
        "zhejiang/shop, APPLICATION, wrong-key",
        "'*/shop, zhejiang/*', ISLAND,",
        "zhe*/shop, KEY, wrong-key"
    })
    void bindsAKeyToCallers(String patterns, Caller.Proof proof, String otherwise) {
        CallVerifier bound = verifier("sign.accept-from.zhejiang-2026=" + patterns);

        Verification own = bound.verify("shanghai", FROM, signed(), SHOP, SERVICE, BALANCE);
        String sign = signer.sign("shanghai", "beijing/shop/1", SERVICE, BALANCE);
        Verification other =
                bound.verify("shanghai", "beijing/shop/1", sign, Caller.of("beijing", "shop"), SERVICE, BALANCE);

        assertThat(own.caller()).isEqualTo(Caller.signed("zhejiang", "shop", "zhejiang-2026", proof));
        assertThat(other.reason()).isEqualTo(otherwise);
        if (otherwise != null) {
            assertThat(other.detail())
                    .isEqualTo("the key zhejiang-2026 may not sign for beijing/shop; see"
                            + " highway.sign.accept-from.zhejiang-2026 in shanghai");
        } else {
            assertThat(other.caller().isIslandVerified()).isFalse();
        }
    }

    @Test
    void refusesAnUnknownCaller_ofAKeyThatBelongsToCallers() {
        CallVerifier bound = verifier("sign.accept-from.zhejiang-2026=*/*");
        String sign = signer.sign("shanghai", "no caller", SERVICE, BALANCE);

        assertThat(bound.verify("shanghai", "no caller", sign, null, SERVICE, BALANCE)
                        .reason())
                .isEqualTo("wrong-key");
        assertThat(verifier.verify("shanghai", "no caller", sign, null, SERVICE, BALANCE))
                .isEqualTo(Verification.valid(null));
    }

    @Test
    void refusesAsBusy_whenItCannotRememberMore_andGoesOnLater() {
        CallVerifier small = verifier("sign.max-nonces=4"); // two keys
        String first = signed();
        small.verify("shanghai", FROM, first, SHOP, SERVICE, BALANCE);
        small.verify("shanghai", FROM, signed(), SHOP, SERVICE, BALANCE);

        Verification full = small.verify("shanghai", FROM, signed(), SHOP, SERVICE, BALANCE);
        Verification replayed = small.verify("shanghai", FROM, first, SHOP, SERVICE, BALANCE);
        seconds.addAndGet(121);
        nanos.addAndGet(121_000_000_000L);
        Verification later = small.verify("shanghai", FROM, signed(), SHOP, SERVICE, BALANCE);

        assertThat(full.reason()).isEqualTo("busy");
        assertThat(full.detail()).contains("highway.sign.max-nonces", "2", "zhejiang-2026");
        assertThat(full.mayHaveRun()).isFalse();
        assertThat(replayed.reason()).isEqualTo("replayed");
        assertThat(later.reason()).isNull();
    }

    @Test
    void refusesAsBusy_onlyTheKeyWhoseShareIsFull() {
        CallVerifier small = verifier("sign.max-nonces=4");
        CallSigner other = signatures("sign.key-id=other", "sign.secret=other").signerTo("shanghai");
        List<String> words = Stream.generate(this::signed)
                .limit(10)
                .map(sign -> String.valueOf(small.verify("shanghai", FROM, sign, SHOP, SERVICE, BALANCE)
                        .reason()))
                .toList();

        Verification neighbour =
                small.verify("shanghai", FROM, other.sign("shanghai", FROM, SERVICE, BALANCE), SHOP, SERVICE, BALANCE);

        assertThat(words.subList(0, 2)).containsOnly("null");
        assertThat(words.subList(2, 10)).containsOnly("busy");
        assertThat(neighbour.reason()).isNull();
    }

    /** The caller was told that its call has not run; a copy of it must not run once there is room. */
    @Test
    void acceptsNoCopyOfASignature_thatWasRefusedAsBusy() {
        CallVerifier small = verifier("sign.max-nonces=2");
        small.verify("shanghai", FROM, signed(), SHOP, SERVICE, BALANCE);
        seconds.addAndGet(100);
        nanos.addAndGet(100_000_000_000L);
        String refused = signed();
        String older = signed();
        assertThat(small.verify("shanghai", FROM, refused, SHOP, SERVICE, BALANCE))
                .returns("busy", Verification::reason)
                .returns(false, Verification::mayHaveRun);
        seconds.addAndGet(25);
        nanos.addAndGet(25_000_000_000L);

        assertThat(small.verify("shanghai", FROM, signed(), SHOP, SERVICE, BALANCE)
                        .reason())
                .as("there is room again")
                .isNull();
        for (String copy : List.of(refused, older)) {
            assertThat(small.verify("shanghai", FROM, copy, SHOP, SERVICE, BALANCE)
                            .reason())
                    .isEqualTo("busy");
        }
    }

    /** A roll-over: the key in use keeps its share. */
    @Test
    void keysOfTheSameCallers_haveOneShare() {
        CallVerifier rolling = verifier(
                "sign.accept-from.zhejiang-2026=zhejiang/*, hub/shop",
                "sign.accept-from.other=hub/shop, zhejiang/*",
                "sign.max-nonces=4");
        CallSigner other = signatures("sign.key-id=other", "sign.secret=other").signerTo("shanghai");
        List<String> words = Stream.generate(this::signed)
                .limit(4)
                .map(sign -> String.valueOf(rolling.verify("shanghai", FROM, sign, SHOP, SERVICE, BALANCE)
                        .reason()))
                .toList();

        Verification full = rolling.verify(
                "shanghai", FROM, other.sign("shanghai", FROM, SERVICE, BALANCE), SHOP, SERVICE, BALANCE);

        assertThat(words).containsOnly("null");
        assertThat(full.reason()).isEqualTo("busy");
    }

    /** A sender whose clock is fast leaves the others of its key alone. */
    @Test
    void refusesAsBusy_onlyWhatCannotBeJudged() {
        CallVerifier small = verifier("sign.max-nonces=2");
        small.verify("shanghai", FROM, signed(), SHOP, SERVICE, BALANCE);
        seconds.addAndGet(100);
        nanos.addAndGet(100_000_000_000L);
        seconds.addAndGet(59);
        String fast = signed();
        seconds.addAndGet(-59);
        assertThat(small.verify("shanghai", FROM, fast, SHOP, SERVICE, BALANCE).reason())
                .isEqualTo("busy");
        seconds.addAndGet(25);
        nanos.addAndGet(25_000_000_000L);

        Verification later = small.verify("shanghai", FROM, signed(), SHOP, SERVICE, BALANCE);

        assertThat(later.reason()).as("there is room again").isNull();
        assertThat(small.verify("shanghai", FROM, fast, SHOP, SERVICE, BALANCE).reason())
                .isEqualTo("busy");
    }

    /** Whatever the clocks do: as long as a signature is valid, it is remembered. */
    @Test
    void remembersASignatureAsLongAsItIsValid() {
        seconds.addAndGet(60); // the caller's clock is fast
        String sign = signed();
        seconds.addAndGet(-60);
        verify(sign);

        nanos.addAndGet(900_000_000L); // of the second in which it arrived
        for (int second = 1; second <= 120; second++) {
            seconds.incrementAndGet();
            nanos.addAndGet(1_000_000_000L);
            assertThat(verify(sign).reason()).isEqualTo("replayed");
        }
    }

    @Test
    void acceptsASignatureOnce_alsoByManyThreads() throws Exception {
        for (int round = 0; round < 50; round++) {
            String sign = signed();
            CountDownLatch start = new CountDownLatch(1);
            List<CompletableFuture<String>> verdicts = IntStream.range(0, 4)
                    .mapToObj(any -> CompletableFuture.supplyAsync(() -> {
                        try {
                            start.await();
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                        return String.valueOf(verify(sign).reason());
                    }))
                    .toList();
            start.countDown();

            assertThat(verdicts.stream().map(CompletableFuture::join))
                    .containsExactlyInAnyOrder("null", "replayed", "replayed", "replayed");
        }
    }

    @Test
    void asksTheStore_onceForEachSignatureThatIsNewHere() {
        Set<String> known = ConcurrentHashMap.newKeySet();
        List<String> asked = new ArrayList<>();
        ReplayStore store = (id, keep) -> {
            asked.add(id);
            assertThat(keep).hasSeconds(121);
            return known.add(id);
        };
        CallVerifier one = verifier(store);
        CallVerifier two = verifier(store);
        String sign = signed();

        assertThat(one.verify("shanghai", FROM, sign, SHOP, SERVICE, BALANCE).reason())
                .isNull();
        assertThat(one.verify("shanghai", FROM, sign, SHOP, SERVICE, BALANCE).reason())
                .isEqualTo("replayed");
        assertThat(two.verify("shanghai", FROM, sign, SHOP, SERVICE, BALANCE).reason())
                .isEqualTo("replayed");
        assertThat(asked).hasSize(2).allMatch(id -> id.matches("shanghai/zhejiang-2026/[A-Za-z0-9_-]{22}"));
    }

    @Test
    void asksTheStoreForABurstOfCalls_asManyAsAProviderHasThreads() throws Exception {
        int burst = 200;
        CountDownLatch asked = new CountDownLatch(64);
        CallVerifier verifier = verifier((id, keep) -> {
            asked.countDown();
            asked.await(); // so that the others wait for a thread
            return true;
        });
        List<String> signed = Stream.generate(this::signed).limit(burst).toList();
        ExecutorService callers = Executors.newFixedThreadPool(burst);

        List<Future<String>> reasons = callers.invokeAll(signed.stream()
                .map(sign -> (Callable<String>) () -> verifier.verify("shanghai", FROM, sign, SHOP, SERVICE, BALANCE)
                        .reason())
                .toList());
        callers.shutdown();

        for (Future<String> reason : reasons) {
            assertThat(reason.get()).isNull();
        }
    }

    @Test
    void refusesAsBusy_whenTheStoreFailsOrIsSlow() {
        CountDownLatch end = new CountDownLatch(1);
        CallVerifier failing = verifier((id, keep) -> {
            throw new IOException("no connection");
        });
        CallVerifier slow = verifier((id, keep) -> {
            end.await();
            return true;
        });

        Verification failed = failing.verify("shanghai", FROM, signed(), SHOP, SERVICE, BALANCE);
        Verification late = slow.verify("shanghai", FROM, signed(), SHOP, SERVICE, BALANCE);
        end.countDown();

        assertThat(failed.reason()).isEqualTo("busy");
        assertThat(late.reason()).isEqualTo("busy");
        assertThat(List.of(failed.mayHaveRun(), late.mayHaveRun()))
                .as("another process may accept a copy")
                .containsOnly(true);
        assertThat(late.detail())
                .isEqualTo("the replay store of shanghai does not answer, so a replay could not be refused");
    }

    @Test
    void drawsNoNonceTwice() {
        Set<String> drawn = new HashSet<>();

        for (int i = 0; i < 10_000; i++) {
            assertThat(drawn.add(SignatureText.parse(signed()).nonce())).isTrue();
        }
    }
}
