// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.facts;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.dubbo.rpc.RpcInvocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies that an attacker changed: what Dubbo makes of them equals the facts, or is found to be different. */
class MutatedRequestsTest {

    private static final Logger HESSIAN = Logger.getLogger("com.alibaba.com.caucho.hessian");

    private @Nullable Level level;
    private int refused;
    private int equal;
    private final Map<String, Integer> differences = new HashMap<>();

    @BeforeEach
    void silence() {
        level = HESSIAN.getLevel();
        HESSIAN.setLevel(Level.OFF);
    }

    @AfterEach
    void restore() {
        HESSIAN.setLevel(level);
    }

    @ParameterizedTest
    @ValueSource(strings = {"hessian2", "fastjson2"})
    void noneIsServed_whoseFactsDiffer(String serialization) throws IOException {
        mutate(serialization, 20_000, 1);
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(strings = {"hessian2", "fastjson2"})
    void noneOfAMillionIsServed_whoseFactsDiffer(String serialization) throws IOException {
        mutate(serialization, 1_000_000, System.nanoTime());
    }

    private void mutate(String serialization, int rounds, long seed) throws IOException {
        Random random = new Random(seed);
        try (Bodies bodies = new Bodies(serialization)) {
            List<byte[]> valid = valid(bodies);
            MutatedBody mutated = new MutatedBody(random, serialization.equals("fastjson2"));
            for (int round = 0; round < rounds; round++) {
                byte[] body =
                        mutated.of(valid.get(random.nextInt(valid.size())), valid.get(random.nextInt(valid.size())));
                check(bodies, body, "seed " + seed + ", round " + round);
            }
        }
        System.out.printf("%s, seed %d: %d refused, %d equal, %s%n", serialization, seed, refused, equal, differences);
        assertThat(equal).isGreaterThan(rounds / 50);
        assertThat(refused).isGreaterThan(rounds / 4);
    }

    private void check(Bodies bodies, byte[] body, String round) {
        DubboRequestFacts facts;
        try {
            facts = DubboRequestFacts.ofBody(Unpooled.wrappedBuffer(body), bodies.id);
        } catch (UnreadableRequestException e) {
            refused++;
            return;
        }
        RpcInvocation decoded;
        try {
            decoded = bodies.decode(body);
        } catch (Throwable e) { // such as an exhausted stack or heap, too
            return;
        }
        String difference = facts.differenceFrom(decoded);
        if (difference == null) {
            assertThat(isEqual(facts, decoded))
                    .as(() -> round + ": " + facts + " " + decoded)
                    .isTrue();
            equal++;
        } else {
            differences.merge(difference, 1, Integer::sum);
        }
    }

    private static boolean isEqual(DubboRequestFacts facts, RpcInvocation decoded) {
        Set<String> keys = new HashSet<>(facts.attachments().keySet());
        keys.addAll(decoded.getObjectAttachments().keySet());
        keys.removeIf(key -> !key.startsWith("highway-") && !key.equals("group"));
        boolean areNamesEqual = facts.generic() == null
                || facts.generic().method().equals(decoded.getArguments()[0])
                        && facts.generic().types().equals(names((String[]) decoded.getArguments()[1]));
        return areNamesEqual
                && facts.path().equals(decoded.getObjectAttachments().get("path"))
                && facts.attachments()
                        .getOrDefault("version", String.valueOf(facts.version()))
                        .equals(String.valueOf(decoded.getObjectAttachments().get("version")))
                && facts.method().equals(decoded.getMethodName())
                && facts.types().equals(decoded.getParameterTypesDesc())
                && keys.stream()
                        .allMatch(key -> Objects.equals(
                                facts.attachments().get(key),
                                Objects.toString(decoded.getObjectAttachments().get(key), null)));
    }

    private static List<String> names(String @Nullable [] types) {
        return types == null ? List.of() : Arrays.asList(types);
    }

    private static List<byte[]> valid(Bodies bodies) throws IOException {
        Parcel parcel = new Parcel();
        parcel.inner = new Parcel();
        parcel.stamps.add("stamp");
        parcel.weights.put("kg", 7);
        parcel.content = new ByteArrayInputStream(new byte[9]);
        Map<String, @Nullable Object> more = Bodies.attachments();
        more.put("highway-hops", 2);
        more.put("highway-from", "shanghai/shop");
        more.put("_TO", 3000L);
        more.put("plain", "x");
        more.put("parcel", parcel);
        more.put("list", List.of(1, "a"));
        Object names = new String[] {"java.lang.String", "int"};
        List<byte[]> valid = new ArrayList<>();
        valid.add(bodies.with(Bodies.attachments()));
        valid.add(bodies.with(more));
        valid.add(bodies.of("text", 1));
        valid.add(bodies.of(parcel, new HashMap<>(Map.of("highway-island", "beijing"))));
        valid.add(bodies.write("send", Bodies.PARCEL, more, parcel));
        valid.add(bodies.write("send", Bodies.MIXED, Bodies.attachments(), 1, new byte[20], "é中", new int[] {1, 2}));
        valid.add(bodies.write("$invoke", Bodies.GENERIC_TYPES, more, "pay", names, new Object[] {parcel, 1}));
        return valid;
    }
}
