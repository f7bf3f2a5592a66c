// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.protobuf.StringValue;
import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.testsupport.faults.FaultyLink;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import org.apache.dubbo.common.Version;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests on their way to home's gateway, with {@code compression: gzip} for shanghai and without for beijing. */
@Tag("network")
class CompressionTest extends OnFaultyStar {

    private static final int LARGE = 80_000;
    private static final String TEXT = "{\"item\":\"tea\",\"amount\":12},".repeat(3000);

    private FaultyLink link;

    private Shop shop(Tunnel tunnel, String... more) {
        link = star.link(star.gateway());
        String[] properties = {"highway.islands.shanghai.compression", "gzip", "highway.heartbeat.interval", "none"};
        Shop shop = star.free(events, tunnel, FaultyStar.address(link.port()), join(properties, more));
        assertThat(to("shanghai", shop).sell("tea")).isEqualTo("shanghai:tea");
        assertThat(to("beijing", shop).sell("tea")).isEqualTo("beijing:tea");
        return shop;
    }

    private static String[] join(String[] some, String... more) {
        return Stream.of(some, more).flatMap(Arrays::stream).toArray(String[]::new);
    }

    private static Shop to(String island, Shop shop) {
        return Highway.to(island).bind(Shop.class, shop);
    }

    /** How many bytes left home by it. */
    private long bytesOf(Supplier<?> call) {
        long before = link.traffic().toTarget().sum();
        call.get();
        return link.traffic().toTarget().sum() - before;
    }

    @Test
    void compressesRequestsToItsIslandOnly_onTheSameConnection() {
        Shop shop = shop(Tunnel.TRIPLE);

        assertThat(bytesOf(() -> {
                    assertThat(to("shanghai", shop).sell(TEXT)).isEqualTo("shanghai:" + TEXT);
                    return TEXT;
                }))
                .isLessThan(TEXT.length() / 10);
        assertThat(bytesOf(() -> {
                    assertThat(to("beijing", shop).sell(TEXT)).isEqualTo("beijing:" + TEXT);
                    return TEXT;
                }))
                .isGreaterThan(TEXT.length());
    }

    @Test
    void sendsAsItIs_whatWouldNotGetSmaller() {
        byte[] noise = new byte[LARGE];
        new Random(1).nextBytes(noise);
        Shop shanghai = to("shanghai", shop(Tunnel.TRIPLE));

        assertThat(shanghai.pack(noise)).isEqualTo(noise);
        assertThat(shanghai.pack(new byte[0])).isEmpty();
        assertThat(shanghai.nothing(null)).isNull();
    }

    @Test
    void keepsConcurrentCallsApart() {
        Shop shop = shop(Tunnel.TRIPLE);

        List<CompletableFuture<String>> answers = IntStream.range(0, 200)
                .mapToObj(i -> to(i % 2 == 0 ? "shanghai" : "beijing", shop).sellLater(i + TEXT))
                .toList();

        for (int i = 0; i < answers.size(); i++) {
            assertThat(answers.get(i).join()).isEqualTo((i % 2 == 0 ? "shanghai:" : "beijing:") + i + TEXT);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"triple", "auto"})
    void theProviderSeesNothingOfIt(String tunnel) {
        to("shanghai", shop(Tunnel.TRIPLE, "highway.defaults.tunnel", tunnel)).sell(TEXT);

        assertThat(star.shanghai().received).isNotEmpty().allSatisfy(call -> assertThat(call.attachments())
                .doesNotContainKeys("highway-compression", "grpc-encoding"));
    }

    @Test
    void leavesDubboAlone() {
        Shop shanghai = to("shanghai", shop(Tunnel.DUBBO, "highway.defaults.tunnel", "auto"));

        assertThat(bytesOf(() -> shanghai.sell(TEXT))).isGreaterThan(TEXT.length());
    }

    private static byte[] digits(int length) {
        byte[] digits = new byte[length];
        Random random = new Random(1);
        for (int i = 0; i < length; i++) {
            digits[i] = (byte) ('0' + random.nextInt(10));
        }
        return digits;
    }

    /** What those threads have computed that serve Dubbo's client connections. */
    private static long nanosOfEventLoops() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return Stream.of(threads.getThreadInfo(threads.getAllThreadIds()))
                .filter(thread -> thread != null && thread.getThreadName().startsWith("NettyClientWorker"))
                .mapToLong(thread -> threads.getThreadCpuTime(thread.getThreadId()))
                .sum();
    }

    @Test
    void compressesOnTheCallingThread() {
        byte[] content = digits(7_000_000);
        Shop shanghai = to("shanghai", shop(Tunnel.TRIPLE, "highway.islands.shanghai.max-request-size", "16MB"));
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long begun = threads.getCurrentThreadCpuTime();
        Deflater deflater = new Deflater();
        deflater.setInput(content);
        deflater.finish();
        assertThat(deflater.deflate(new byte[content.length])).isLessThan(content.length / 2);
        deflater.end();
        long toCompress = threads.getCurrentThreadCpuTime() - begun;

        long before = nanosOfEventLoops();
        long bytes = bytesOf(() -> shanghai.pack(content));

        assertThat(bytes).isLessThan(content.length / 2);
        assertThat(nanosOfEventLoops() - before).isPositive().isLessThan(toCompress / 2);
    }

    @Test
    void compressesTheRequestsOfGeneratedStubs_too() {
        shop(Tunnel.TRIPLE);
        Echoes plain = star.consumer()
                .reference(Echoes.class, config -> config.setUrl("tri://" + star.star.shanghai.tripleAddress))
                .get();
        Echoes echoes = Highway.to("shanghai").bind(Echoes.class, plain);
        assertThat(echoes.echo(StringValue.of("tea"))).isEqualTo(StringValue.of("tea"));
        StringValue text = StringValue.of(TEXT);

        assertThat(bytesOf(() -> {
                    assertThat(echoes.echo(text)).isEqualTo(text);
                    return text;
                }))
                .isLessThan(TEXT.length() / 10);
    }

    @Test
    void measuresARequestBeforeItIsCompressed() {
        Shop shanghai = to("shanghai", shop(Tunnel.TRIPLE, "highway.islands.shanghai.max-request-size", "64KB"));

        assertThat(TEXT.length()).isGreaterThan(64 * 1024);
        assertThatThrownBy(() -> shanghai.sell(TEXT)).hasMessageContaining("max-request-size");
    }

    @Test
    void ofABomb_isRefusedBeforeItRuns_andTheProviderServesOn() {
        Shop shanghai = to("shanghai", shop(Tunnel.TRIPLE, "highway.islands.shanghai.max-request-size", "256MB"));
        star.shanghai().received.clear();

        Throwable refused = catchThrowable(() -> shanghai.pack(new byte[64 << 20])); // the provider's payload is 16 MB

        assertThat(refused).isInstanceOf(HighwayException.class);
        if (Version.getVersion().startsWith("3.3")) { // 3.2 gives no answer where it cannot read
            assertThat(refused)
                    .hasMessageContaining("RESOURCE_EXHAUSTED")
                    .hasMessageContaining("dubbo.protocol.payload");
        }

        assertThat(star.shanghai().received).isEmpty();
        assertThat(shanghai.sell("tea")).isEqualTo("shanghai:tea");
    }
}
