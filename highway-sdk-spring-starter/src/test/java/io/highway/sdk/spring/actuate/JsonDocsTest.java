// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import static io.highway.sdk.spring.actuate.TestRouting.dead;
import static io.highway.sdk.spring.actuate.TestRouting.ended;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.spring.actuate.TestRouting.Live;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tables of {@code docs/reference/observability.md} name every field of the JSON, and no other. */
@Tag("network")
class JsonDocsTest {

    private static final Path PAGE = Path.of("../docs/reference/observability.md");

    /** Objects by name, not fields. */
    private static final Pattern NAMED = Pattern.compile("(^|\\.)(islands|services|settings|headers)$|^callerOwners$");

    @Test
    void theEndpointsTableNamesEveryField(@TempDir Path directory) throws IOException {
        Path refused = Files.writeString(directory.resolve("policy.yaml"), "version: v1\nheartbeat.slow: perhaps");
        try (Live home = new Live("gateway.zhejiang.test");
                TestRouting application = TestRouting.following(
                        refused,
                        "gateways.dubbo",
                        home.address(),
                        "islands.shanghai.tunnel",
                        "dubbo",
                        "islands.shanghai.services.com.foo.*.gateways.dubbo",
                        home.address(),
                        "islands.shanghai.bulk.over",
                        "16KB",
                        "guard.callers.jiangsu/*.owner",
                        "team jiangsu")) {
            application.connected(home);
            application
                    .runtime
                    .lastOutcomes()
                    .remember(ended("shanghai", home.address(), Outcome.DELIVERED, null, false));

            Set<String> documented = documented("### `/actuator/highway`");
            documented.remove("guardedServices.<name>"); // no service is exported here
            assertThat(fields(new HighwayEndpoint(application.runtime).highway()))
                    .isEqualTo(documented);
        }
    }

    @Test
    void theTableOfExplanationsNamesEveryField() throws IOException {
        try (Live home = new Live("gateway.zhejiang.test");
                TestRouting application =
                        new TestRouting("gateways.dubbo", home.address(), "islands.shanghai.max-concurrent", "5")) {
            application.connected(home).refer("com.foo.Sms");
            HighwayExplainEndpoint endpoint = new HighwayExplainEndpoint(application.model());

            Set<String> all = fields(explained(endpoint, "shanghai"));
            Set<String> refused = fields(explained(endpoint, "nowhere"));

            assertThat(all).isEqualTo(documented("### Explanations"));
            assertThat(all).containsAll(leaves(refused));
        }
    }

    /** Without objects and lists that are missing. */
    private static List<String> leaves(Set<String> fields) {
        return fields.stream()
                .filter(field -> !field.equals("limits") && !field.equals("endpoints[]"))
                .toList();
    }

    private static Object explained(HighwayExplainEndpoint endpoint, String island) {
        return endpoint.explain("com.foo.Sms", "send", island, null, null).get(0);
    }

    @Test
    void healthsTableNamesEveryField() throws IOException {
        try (Live home = new Live("gateway.zhejiang.test");
                TestRouting application = new TestRouting(
                        "gateways.dubbo",
                        home.address(),
                        "islands.beijing.tunnel",
                        "dubbo",
                        "islands.shanghai.tunnel",
                        "dubbo",
                        "islands.shanghai.gateways.dubbo",
                        dead("gateway.shanghai.test"),
                        "islands.shanghai.services.com.foo.*.gateways.dubbo",
                        dead("gateway.shanghai.test"),
                        "policy.source",
                        "file:/")) { // a directory: the policy has a problem
            application.connected(home);
            application
                    .runtime
                    .lastOutcomes()
                    .remember(ended("beijing", home.address(), Outcome.NOT_SENT, Reason.NOT_FORWARDED, false));
            Set<String> all = fields(new HighwayHealthIndicator(application.runtime, new HighwayHealthProperties())
                    .health()
                    .getDetails());

            Set<String> withoutShared = all.stream()
                    .map(field -> field.replaceFirst("^gateways\\[].*", "gateways[]")
                            .replaceFirst("(\\.endpoints\\[]|\\.services\\.<name>\\[]|\\.lastOutcome)\\..*", "$1"))
                    .collect(Collectors.toSet());
            assertThat(withoutShared).isEqualTo(documented("### Health `highway`"));
        }
    }

    /** The paths of all leaves. */
    private static Set<String> fields(Object value) {
        Set<String> fields = new TreeSet<>();
        collect("", new ObjectMapper().valueToTree(value), fields);
        return fields;
    }

    private static void collect(String path, JsonNode node, Set<String> fields) {
        if (node.isObject()) {
            node.fieldNames().forEachRemaining(field -> {
                String name = NAMED.matcher(path).find() ? "<name>" : field;
                collect(path.isEmpty() ? name : path + "." + name, node.get(field), fields);
            });
        } else if (node.isArray() && !node.isEmpty()) {
            node.forEach(element -> collect(path + "[]", element, fields));
        } else {
            fields.add(node.isArray() ? path + "[]" : path);
        }
    }

    /** The first column of the table below a heading. */
    private static Set<String> documented(String heading) throws IOException {
        String page = Files.readString(PAGE);
        assertThat(page).contains(heading);
        String section =
                page.substring(page.indexOf(heading) + heading.length()).replaceFirst("(?s)\n##.*", "");
        return Pattern.compile("(?m)^\\| `([^`]+)` \\|")
                .matcher(section)
                .results()
                .map(row -> row.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
