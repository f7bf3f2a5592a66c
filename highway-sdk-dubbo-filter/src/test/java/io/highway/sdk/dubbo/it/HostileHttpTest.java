// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.it.RawHttpCaller.Answer;
import io.highway.sdk.dubbo.it.RawHttpCaller.Call;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests over HTTP/1.1 that are not exactly one well-formed call: nothing of them runs. */
@Tag("network")
@Tag("any-dubbo")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileHttpTest {

    private final GuardedIsland shanghai = new GuardedIsland("highway.http.receive", "true");

    @AfterAll
    void close() {
        shanghai.close();
    }

    /** By what is wrong with them. */
    private final Map<String, byte[]> requests = new LinkedHashMap<>();

    private void add(String name, String request) {
        requests.put(name, request.getBytes(ISO_8859_1));
    }

    private static String valid() {
        return new String(Call.sell("tea").bytes(), ISO_8859_1);
    }

    private static String length() {
        return String.valueOf(Call.sell("tea").frame().length);
    }

    private void edited(String name, UnaryOperator<String> edit) {
        String edited = edit.apply(valid());
        assertThat(edited).as(name).isNotEqualTo(valid());
        add(name, edited);
    }

    /** With other lines for the length. */
    private void lengths(String name, String lines) {
        edited(name, valid -> valid.replaceFirst("content-length: [0-9]+\r\n", lines.replace("N", length())));
    }

    /** With one more line in front of the content type. */
    private void line(String name, String line) {
        edited(name, valid -> valid.replace("content-type:", line + "content-type:"));
    }

    private void path(String name, String path) {
        edited(name, valid -> valid.replace("/highway/shanghai/" + RawHttpCaller.SERVICE + "/sell", path));
    }

    private void call(String name, Consumer<Call> change) {
        Call call = Call.sell("tea");
        change.accept(call);
        requests.put(name, call.bytes());
    }

    private void frame(String name, UnaryOperator<byte[]> edit) {
        call(name, call -> call.body = edit.apply(call.frame()));
    }

    private void chunked(String name, UnaryOperator<String> edit) {
        String valid = new String(Call.sell("tea").chunked(100), ISO_8859_1);
        String edited = edit.apply(valid);
        assertThat(edited).as(name).isNotEqualTo(valid);
        add(name, edited);
    }

    private static byte[] with(byte[] frame, int at, int value) {
        byte[] changed = frame.clone();
        changed[at] = (byte) value;
        return changed;
    }

    Stream<String> hostile() {
        lengths("length and chunked", "content-length: N\r\ntransfer-encoding: chunked\r\n");
        lengths("chunked and length", "transfer-encoding: chunked\r\ncontent-length: N\r\n");
        lengths("two equal lengths", "content-length: N\r\ncontent-length: N\r\n");
        lengths("two lengths", "content-length: N\r\ncontent-length: 5\r\n");
        lengths("a list of lengths", "content-length: N, N\r\n");
        lengths("length with plus", "content-length: +N\r\n");
        lengths("negative length", "content-length: -1\r\n");
        lengths("hexadecimal length", "content-length: 0xff\r\n");
        lengths("length with a space", "content-length: 1 0\r\n");
        lengths("empty length", "content-length: \r\n");
        lengths("length of 20 digits", "content-length: 18446744073709551617\r\n");
        lengths("length with a letter", "content-length: Nb\r\n");
        lengths("no length", "");
        lengths("length zero", "content-length: 0\r\n");
        lengths("over the payload", "content-length: 16777233\r\n");
        lengths("chunked twice", "transfer-encoding: chunked, chunked\r\n");
        lengths("two encodings", "transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n");
        lengths("gzip and chunked", "transfer-encoding: gzip, chunked\r\n");
        lengths("identity", "transfer-encoding: identity\r\n");
        lengths("unknown encoding", "transfer-encoding: xchunked\r\n");
        lengths("encoding with a control character", "transfer-encoding: chunked\u000b\r\n");
        lengths("space before the colon", "content-length : N\r\n");
        lengths("tab before the colon", "content-length\t: N\r\n");
        edited("chunked over HTTP/1.0", valid -> new String(Call.sell("tea").chunked(100), ISO_8859_1)
                .replace("HTTP/1.1", "HTTP/1.0"));
        edited("LF ends the request line", valid -> valid.replaceFirst("HTTP/1.1\r\n", "HTTP/1.1\n"));
        edited("LF ends a header", valid -> valid.replaceFirst("shanghai.test\r\n", "shanghai.test\n"));
        edited("LF ends the head", valid -> valid.replaceFirst("\r\n\r\n", "\n\n"));
        edited("LF ends the head, after CRLF", valid -> valid.replaceFirst("\r\n\r\n", "\r\n\n"));
        line("CR in a header", "x: a\rb\r\n");
        line("NUL in a header", "x: a\0b\r\n");
        line("DEL in a header", "x: a\u007fb\r\n");
        line("folded with a space", "x: a\r\n b\r\n");
        line("folded with a tab", "x: a\r\n\tb\r\n");
        line("no colon", "x\r\n");
        line("no name", ": x\r\n");
        line("space in a name", "x y: z\r\n");
        line("letters beyond ASCII in a name", "x\u00e9: z\r\n");
        line("a bracket in a name", "x(): z\r\n");
        line("a head of 33 KB", "x: " + "y".repeat(33 * 1024) + "\r\n");
        line("many headers", "x: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n".repeat(700));
        line("two hosts", "host: beijing.test\r\n");
        line("two types", "content-type: application/json\r\n");
        line("two islands", "highway-island: shanghai\r\n");
        line("two senders", "highway-from: zhejiang/orders/1\r\n");
        line("two call ids", "highway-call-id: " + RawHttpCaller.id() + "\r\n");
        line("it expects something else", "expect: 200-ok\r\n");
        edited("two spaces", valid -> valid.replaceFirst("POST ", "POST  "));
        edited("two spaces before the version", valid -> valid.replaceFirst(" HTTP/1.1", "  HTTP/1.1"));
        edited("tabs", valid -> valid.replaceFirst("POST ", "POST\t"));
        edited("a space after the version", valid -> valid.replaceFirst("HTTP/1.1", "HTTP/1.1 "));
        edited("a space in front", valid -> " " + valid);
        edited("an empty line in front", valid -> "\r\n" + valid);
        edited("version 1.2", valid -> valid.replaceFirst("HTTP/1.1", "HTTP/1.2"));
        edited("version 2.0", valid -> valid.replaceFirst("HTTP/1.1", "HTTP/2.0"));
        edited("version in lower case", valid -> valid.replaceFirst("HTTP/1.1", "http/1.1"));
        edited("no version", valid -> valid.replaceFirst(" HTTP/1.1", ""));
        edited("no host", valid -> valid.replaceFirst("host: shanghai.test\r\n", ""));
        edited("GET", valid -> valid.replaceFirst("POST", "GET"));
        edited("PUT", valid -> valid.replaceFirst("POST", "PUT"));
        edited("method in lower case", valid -> valid.replaceFirst("POST", "post"));
        edited("a long method", valid -> valid.replaceFirst("POST", "POSTPOSTPOSTPOSTPOST"));
        edited("CONNECT", valid -> valid.replaceFirst("POST", "CONNECT"));
        path("only an island", "/highway/shanghai");
        path("no method", "/highway/shanghai/" + RawHttpCaller.SERVICE);
        path("empty island", "/highway//" + RawHttpCaller.SERVICE + "/sell");
        path("empty method", "/highway/shanghai/" + RawHttpCaller.SERVICE + "/");
        path("query", "/highway/shanghai/" + RawHttpCaller.SERVICE + "/sell?x=y");
        path("fragment", "/highway/shanghai/" + RawHttpCaller.SERVICE + "/sell#x?");
        path("plus", "/highway/shanghai/" + RawHttpCaller.SERVICE + "/se+ll");
        path("wrong escape", "/highway/shanghai/" + RawHttpCaller.SERVICE + "/sell%2");
        path("an island in upper case", "/highway/SHANGHAI/" + RawHttpCaller.SERVICE + "/sell");
        path("an island with a line end", "/highway/shang%0d%0ahai/" + RawHttpCaller.SERVICE + "/sell");
        path("dots", "/highway/../highway/shanghai/" + RawHttpCaller.SERVICE + "/sell");
        path("a longer prefix", "/highways/shanghai/" + RawHttpCaller.SERVICE + "/sell");
        path("an escaped prefix", "/%68ighway/shanghai/" + RawHttpCaller.SERVICE + "/sell");
        path("an absolute target", "http://shanghai.test/highway/shanghai/" + RawHttpCaller.SERVICE + "/sell");
        path("a long path", "/highway/shanghai/" + "x".repeat(33 * 1024) + "/sell");
        path("a health check with a body", "/highway");
        call("no type", call -> call.header("content-type", null));
        call("JSON", call -> call.header("content-type", "application/json"));
        frame("half a header of a frame", frame -> Arrays.copyOf(frame, 8));
        frame("another magic", frame -> with(frame, 0, 'P'));
        frame("an answer", frame -> with(frame, 2, 0x02));
        frame("a heartbeat", frame -> with(frame, 2, 0xe2));
        frame("a longer frame", frame -> Arrays.copyOf(frame, frame.length - 1));
        frame("a shorter frame", frame -> Arrays.copyOf(frame, frame.length + 1));
        frame("two frames", frame -> RawHttpCaller.join(new String(frame, ISO_8859_1), frame));
        chunked("chunk extensions", valid -> valid.replaceFirst("64\r\n", "64;x=y\r\n"));
        chunked("no size of a chunk", valid -> valid.replaceFirst("\r\n\r\n64\r\n", "\r\n\r\n\r\n"));
        chunked("negative size", valid -> valid.replaceFirst("\r\n\r\n64\r\n", "\r\n\r\n-64\r\n"));
        chunked("size with a prefix", valid -> valid.replaceFirst("\r\n\r\n64\r\n", "\r\n\r\n0x64\r\n"));
        chunked("size with a space", valid -> valid.replaceFirst("\r\n\r\n64\r\n", "\r\n\r\n64 \r\n"));
        chunked("size of nine digits", valid -> valid.replaceFirst("\r\n\r\n64\r\n", "\r\n\r\n000000064\r\n"));
        chunked("size with LF", valid -> valid.replaceFirst("\r\n\r\n64\r\n", "\r\n\r\n64\n"));
        chunked("a longer chunk", valid -> valid.replaceFirst("\r\n\r\n64\r\n", "\r\n\r\n63\r\n"));
        chunked("a huge chunk", valid -> valid.replaceFirst("\r\n\r\n64\r\n", "\r\n\r\nffffffff\r\n"));
        chunked("trailers", valid -> valid.replaceFirst("\r\n0\r\n\r\n", "\r\n0\r\nx: y\r\n\r\n"));
        hiddenInABodyForDubbo();
        return requests.keySet().stream();
    }

    /** Where its end is ambiguous. */
    private void hiddenInABodyForDubbo() {
        String inside = valid();
        String head = "POST /nobody/knows HTTP/1.1\r\nhost: shanghai.test\r\ncontent-type: application/json\r\n";
        add(
                "hidden behind both lengths",
                head + "content-length: " + (5 + inside.length()) + "\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"
                        + inside);
        add("hidden behind chunk extensions", head + "transfer-encoding: chunked\r\n\r\n0;x=y\r\n\r\n" + inside);
        add("hidden behind trailers", head + "transfer-encoding: chunked\r\n\r\n0\r\nx: y\r\n\r\n" + inside);
        add(
                "hidden behind two lengths",
                head + "content-length: 0\r\ncontent-length: " + inside.length() + "\r\n\r\n" + inside);
        add("hidden in a body", head + "content-length: " + inside.length() + "\r\n\r\n" + inside);
        add(
                "hidden behind an upgrade",
                head + "connection: upgrade\r\nupgrade: websocket\r\ncontent-length: 0\r\n\r\n" + inside);
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void runNothing(String name) throws IOException {
        shanghai.shop.received.clear();
        try (RawHttpCaller hostile = new RawHttpCaller(shanghai.tripleAddress);
                RawHttpCaller other = new RawHttpCaller(shanghai.tripleAddress)) {
            Answer answer = hostile.write(requests.get(name)).read();

            if (answer != null) {
                assertThat(answer.status()).containsAnyOf(" 400 ", " 413 ", " 404 ", " 403 ", " 501 ");
                assertThat(answer.headers()).doesNotContainKey("highway-refused");
            }
            assertThat(other.call(Call.slow(1)).result()).isEqualTo("shanghai:1");
            assertThat(shanghai.shop.received)
                    .extracting(ShopKeeper.Received::method)
                    .containsOnly("slow");
        }
    }
}
