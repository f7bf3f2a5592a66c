// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.springboot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Calls the order service, prints its answers, and compares them with the expected ones. */
final class Checks {

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private static final Duration MOMENT = Duration.ofSeconds(5);

    private final HttpClient http = HttpClient.newHttpClient();
    private final String address;
    private final PrintStream out;
    private int made;
    private int passed;

    /** The service at this URL. */
    Checks(String address, PrintStream out) {
        this.address = address;
        this.out = out;
    }

    /** Sends a request and checks the whole answer. */
    void answers(String path, String expected) throws IOException, InterruptedException {
        compare(path, expected, get(path));
    }

    /** Repeats a request for a moment until this is the whole answer. */
    void answersSoon(String path, String expected) throws IOException, InterruptedException {
        long start = System.nanoTime();
        HttpResponse<String> answer = get(path);
        while (!answer.body().equals(expected) && System.nanoTime() - start < MOMENT.toNanos()) {
            answer = get(path);
        }
        compare(path, expected, answer);
    }

    private void compare(String path, String expected, HttpResponse<String> answer) {
        out.println("GET " + path + ": " + answer.statusCode() + " " + answer.body());
        check(path, "200 " + expected, answer.statusCode() + " " + answer.body());
    }

    /** Sends a request and checks that the answer is an error with this status, this reason and these words. */
    void refuses(String path, int status, String reason, String words) throws IOException, InterruptedException {
        HttpResponse<String> answer = get(path);
        JsonNode problem = JSON.readTree(answer.body());
        String seen = answer.statusCode() + " " + problem.path("title").asText();
        String message = problem.path("detail").asText();
        out.println("GET " + path + ": " + seen + ": " + message);
        check(path, status + " " + reason, seen);
        check("the message of " + path + ": " + message, true, message.contains(words));
    }

    /** Fetches JSON and prints it. */
    JsonNode json(String path) throws IOException, InterruptedException {
        JsonNode answer = JSON.readTree(get(path).body());
        out.println("GET " + path + ":");
        out.println(JSON.writeValueAsString(answer));
        return answer;
    }

    /** Fetches a page and checks its title. */
    void page(String path, String title) throws IOException, InterruptedException {
        HttpResponse<String> answer = get(path);
        String type = answer.headers().firstValue("Content-Type").orElse("none");
        out.println("GET " + path + ": " + answer.statusCode() + ", " + type);
        check(path, "200 text/html", answer.statusCode() + " " + type.replaceFirst(";.*", ""));
        check("the title of " + path, true, answer.body().contains("<title>" + title + "</title>"));
    }

    /** Fetches meters and prints those whose name begins with this. */
    Meters meters(String path, String name) throws IOException, InterruptedException {
        Meters meters = Meters.parse(get(path).body(), name);
        out.println("GET " + path + ", " + name + "*:");
        meters.lines().forEach(out::println);
        return meters;
    }

    /** Compares; a difference is explained on the error output. */
    void check(String what, Object expected, Object seen) {
        made++;
        if (expected.equals(seen)) {
            passed++;
        } else {
            System.err.println(
                    "spring-boot sample: check " + made + ", " + what + ": expected " + expected + ", seen " + seen);
        }
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + path))
                .timeout(Duration.ofSeconds(20))
                .build();
        return http.send(request, BodyHandlers.ofString());
    }

    /** Prints the last line and returns whether all checks passed. */
    boolean finish() {
        out.println("spring-boot sample: " + made + " checks, " + passed + " passed");
        return made == passed;
    }
}
