// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.springboot;

import com.fasterxml.jackson.databind.JsonNode;
import io.highway.samples.springboot.service.SmsService;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Starts the applications, calls the order service as its users and operators do, ends everything. */
public final class SpringBootSample {

    private static final String FROM_SHANGHAI = "shanghai, for order in zhejiang: ";
    private static final String FROM_BEIJING = "beijing, for order in zhejiang: ";
    private static final String FROM_HOME = "zhejiang: ";

    private final Applications applications;
    private final Checks checks;

    private SpringBootSample(Applications applications, PrintStream out) {
        this.applications = applications;
        this.checks = new Checks(applications.order(), out);
    }

    /** The argument is the folder for logs and routes. Exits with 0 only if every check passed. */
    public static void main(String[] arguments) throws InterruptedException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        try {
            System.exit(run(Path.of(arguments[0]), out) ? 0 : 1);
        } catch (IOException | RuntimeException e) {
            System.err.println("spring-boot sample: " + e);
            System.exit(1);
        }
    }

    /** Prints the answers and a last line, and returns whether every check passed. */
    static boolean run(Path folder, PrintStream out) throws IOException, InterruptedException {
        try (Applications applications = Applications.start(folder)) {
            SpringBootSample sample = new SpringBootSample(applications, out);
            sample.whereCallsGo();
            sample.whatIsRefused();
            sample.whatOperatorsSee();
            sample.farIslandsDown();
            return sample.checks.finish();
        }
    }

    private void whereCallsGo() throws IOException, InterruptedException {
        checks.answers("/orders/1/text", FROM_HOME + "order 1 is on its way");
        checks.answers("/orders/2/by-annotation/shanghai", FROM_SHANGHAI + "sent order 2");
        checks.answers("/orders/3/by-annotation/beijing", FROM_BEIJING + "sent order 3");
        checks.answers("/orders/4/by-attachment/shanghai", FROM_SHANGHAI + "order 4 is on its way");
        checks.answers("/orders/5/by-scope/beijing", FROM_BEIJING + "order 5 is on its way");
        checks.answers("/orders/6/by-scope/beijing/later", FROM_BEIJING + "sent order 6");

        // the application's own resolver maps the dialling code, the configuration the postal code
        checks.answers("/orders/7/by-key/010", FROM_BEIJING + "sent order 7");
        checks.answers("/orders/8/by-key/200120", FROM_SHANGHAI + "sent order 8");

        checks.answers("/orders/9/home-absent/text", FROM_HOME + "order 9 is on its way");
        checks.answers("/orders/10/home-absent/sms", FROM_SHANGHAI + "sent order 10");
        // soon, since an asynchronous call may answer before its outcome is published
        checks.answersSoon("/deliveries", "{\"beijing\":4,\"shanghai\":4}");
    }

    private void whatIsRefused() throws IOException, InterruptedException {
        checks.refuses("/orders/11/by-scope/shangai", 400, "unknown-island", "did you mean \"shanghai\"");
        checks.refuses("/orders/12/by-key/0571", 400, "unknown-island", "0571");
    }

    private void whatOperatorsSee() throws IOException, InterruptedException {
        JsonNode highway = checks.json("/actuator/highway");
        checks.check("home", "zhejiang", highway.at("/home").asText());
        checks.check(
                "home's gateways", List.of("up", "up"), highway.at("/gateways").findValuesAsText("state"));
        checks.check(
                "tunnel to shanghai",
                "dubbo",
                highway.at("/islands/shanghai/tunnel").asText());
        checks.check(
                "tunnel to beijing",
                "triple",
                highway.at("/islands/beijing/tunnel").asText());
        checks.check(
                "timeout",
                "5s",
                highway.at("/islands/shanghai/settings/timeout/value").asText());
        checks.check(
                "last outcome",
                "delivered",
                highway.at("/islands/shanghai/lastOutcome/outcome").asText());

        checks.page("/actuator/highwaystar", "Highway: the star");

        JsonNode explained =
                checks.json("/actuator/highwayexplain/" + SmsService.class.getName() + "/send?scope=beijing");
        checks.check("explanation", "tunnel", explained.at("/0/decision").asText());
        checks.check("explained island", "beijing", explained.at("/0/island").asText());

        JsonNode health = checks.json("/actuator/health");
        checks.check(
                "health of the highway",
                "UP",
                health.at("/components/highway/status").asText());

        Meters meters = checks.meters("/actuator/prometheus", "highway_");
        checks.check("calls to shanghai", 4.0, delivered(meters, "shanghai", "dubbo"));
        checks.check("calls to beijing", 4.0, delivered(meters, "beijing", "triple"));
        checks.check(
                "bytes to beijing, over triple only",
                List.of(true, false),
                List.of(bytes(meters, "triple") > 0, bytes(meters, "dubbo") > 0));
    }

    private static double delivered(Meters meters, String island, String tunnel) {
        return meters.sum(
                "highway_calls_seconds_count",
                "island=\"" + island + "\"",
                "outcome=\"delivered\"",
                "tunnel=\"" + tunnel + "\"");
    }

    private static double bytes(Meters meters, String tunnel) {
        return meters.sum(
                "highway_bytes_total", "direction=\"out\"", "island=\"beijing\"", "tunnel=\"" + tunnel + "\"");
    }

    /** Neither call was sent; shanghai's policy has {@code fallback: home}, beijing's does not. */
    private void farIslandsDown() throws IOException, InterruptedException {
        applications.cutOffFarIslands();
        checks.answers("/orders/13/by-scope/shanghai", FROM_HOME + "order 13 is on its way");
        checks.refuses("/orders/14/by-scope/beijing", 503, "not-forwarded", "it has not run");
        Meters meters = checks.meters("/actuator/prometheus", "highway_fallbacks");
        checks.check("fallbacks", 1.0, meters.sum("highway_fallbacks_total", "island=\"shanghai\""));
    }
}
