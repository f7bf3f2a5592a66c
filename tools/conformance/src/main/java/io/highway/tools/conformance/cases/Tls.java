// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.cases;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.tools.conformance.bench.Bench;
import io.highway.tools.conformance.bench.Client;
import io.highway.tools.conformance.bench.Islands;
import io.highway.tools.conformance.service.Noise;
import io.highway.tools.fixtures.certificates.Identity;
import io.highway.tools.gateways.Certificates;
import io.highway.tools.gateways.Protocol;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** TLS: which clients are accepted, and whether the server is verified. */
final class Tls {

    private static final String KEYS = "highway.gateways.tls.";

    /** The same address by a name that the gateway's certificate does not have. */
    private static final String OTHER_NAME = "registry2.test";

    private static final int BODY = 80 << 10;

    private Tls() {}

    static List<Case> cases() {
        return List.of(
                Case.all("TLS with the right certificates", Tls::rightOnes),
                Case.all("TLS without a certificate", Tls::none),
                Case.all("TLS with a stranger's certificate", Tls::strangers),
                Case.all("TLS by another host name", Tls::otherName));
    }

    private static String rightOnes(Bench bench, Protocol protocol) throws Exception {
        Certificates certificates = bench.certificates();
        try (Client client = bench.newTlsClient(protocol, "tls", keys(certificates, certificates.client()))) {
            for (String island : Islands.among(protocol, "shanghai", "beijing", "yunnan")) {
                requirePasses(bench, client, island);
            }
        }
        return "calls pass, 80 KB too";
    }

    private static void requirePasses(Bench bench, Client client, String island) throws Exception {
        String id = bench.newId("tls");
        Expect.answer(client, island, id, "hello");
        byte[] body = Noise.bytes(BODY);
        Expect.same(
                "CRC", Noise.crc(body), client.to(island, () -> client.desk().take(id, body)));
    }

    private static String none(Bench bench, Protocol protocol) {
        return keptOut(bench, protocol, null);
    }

    private static String strangers(Bench bench, Protocol protocol) {
        return keptOut(bench, protocol, bench.certificates().stranger());
    }

    private static String keptOut(Bench bench, Protocol protocol, @Nullable Identity identity) {
        try (Client client = bench.newTlsClient(protocol, "kept-out", keys(bench.certificates(), identity))) {
            String id = bench.newId("kept-out");
            HighwayException failure = Expect.refused(
                    "no way in", () -> client.to("shanghai", () -> client.desk().answer(id, "hello")));
            Expect.same("executions", 0, bench.islands().executions(id));
            return Expect.end(failure) + "; nothing arrived";
        }
    }

    private static String otherName(Bench bench, Protocol protocol) throws Exception {
        Certificates certificates = bench.certificates();
        Map<String, String> keys = keys(certificates, certificates.client());
        String refusal;
        try (Client client = elsewhere(bench, protocol, "other-name", keys)) {
            String id = bench.newId("other-name");
            HighwayException failure = Expect.notSent(
                    bench, id, () -> client.to("shanghai", () -> client.desk().answer(id, "hello")));
            refusal = failure.reason().word();
        }
        Map<String, String> unverified = new HashMap<>(keys);
        unverified.put(KEYS + "verify-host", "false");
        try (Client client = elsewhere(bench, protocol, "unverified", unverified)) {
            requirePasses(bench, client, "shanghai");
        }
        return refusal + ", not sent; passes with verify-host=false";
    }

    private static Client elsewhere(Bench bench, Protocol protocol, String name, Map<String, String> keys) {
        return bench.newClient(
                protocol,
                name,
                island -> {
                    String entrance = bench.tlsEntrance(protocol, island);
                    return OTHER_NAME + entrance.substring(entrance.lastIndexOf(':'));
                },
                keys);
    }

    private static Map<String, String> keys(Certificates certificates, @Nullable Identity identity) {
        Map<String, String> keys = new HashMap<>();
        keys.put(KEYS + "trust-certificates", certificates.authority().toString());
        if (identity != null) {
            keys.put(KEYS + "certificate", identity.certificate().toString());
            keys.put(KEYS + "private-key", identity.privateKey().toString());
        }
        return keys;
    }
}
