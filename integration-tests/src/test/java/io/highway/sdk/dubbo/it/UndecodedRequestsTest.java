// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.alibaba.com.caucho.hessian.io.Hessian2Output;
import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.it.RawCaller.Field;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing of a request is decoded before the guard has admitted it, if its peer is not known as home. */
@Tag("network")
class UndecodedRequestsTest {

    /** Counts its instances: Dubbo makes one wherever it decodes one, by this constructor or without any. */
    public static final class Trap implements Serializable {

        private static final long serialVersionUID = 1L;

        static final AtomicInteger built = new AtomicInteger();

        /** Called for generic calls. */
        public Trap() {
            built.incrementAndGet();
        }

        private Object readResolve() {
            built.incrementAndGet();
            return this;
        }
    }

    /** A service with an object in its arguments. */
    public interface Vault {

        String open(Trap trap);

        String open(Trap trap, int times);

        String admire(Trap trap);
    }

    /** Its provider. */
    private static final class Safe implements Vault {

        @Override
        public String open(Trap trap) {
            return "open";
        }

        @Override
        public String open(Trap trap, int times) {
            return "open " + times;
        }

        @Override
        public String admire(Trap trap) {
            return "admired";
        }
    }

    private interface Call {
        Object make() throws Throwable;
    }

    private static final String VAULT = Vault.class.getName();
    private static final String SECRET = "0123456789abcdef0123456789abcdef";

    /** An {@code int[]} that claims 2^31 - 1 elements, in Hessian 2. */
    private static final byte[] BOMB = {'V', 4, '[', 'i', 'n', 't', 'I', 0x7f, -1, -1, -1};

    private static final int REQUEST = 0xc2;
    private static final int EVENT = 0xe2;
    private static final int ANSWER = 0x02;
    private static final int OK = 20;
    private static final int SERVICE_ERROR = 70;

    private final List<TestApplication> applications = new ArrayList<>();
    private String dubbo;
    private String triple;

    @BeforeEach
    void start() {
        provide(Map.of());
    }

    private void provide(Map<String, String> parameters) {
        TestApplication shanghai = keep(new TestApplication(
                "shanghai",
                Map.of(
                        "highway.island", "shanghai",
                        "highway.guard.require", "signature",
                        "highway.guard.rules.admiring.action", "allow",
                        "highway.guard.rules.admiring.to", VAULT + "#admire",
                        "highway.sign.accept.zj", SECRET)));
        dubbo = shanghai.listen("dubbo");
        triple = shanghai.listen("tri");
        shanghai.export(Vault.class, new Safe(), service -> service.setParameters(parameters))
                .start();
    }

    @AfterEach
    void stop() {
        applications.forEach(TestApplication::close);
    }

    private TestApplication keep(TestApplication application) {
        applications.add(application);
        return application;
    }

    private TestApplication caller(Tunnel tunnel, String secret) {
        return keep(new TestApplication(
                "zhejiang",
                Map.of(
                        "highway.island",
                        "zhejiang",
                        "highway.gateways.dubbo",
                        dubbo,
                        "highway.gateways.triple",
                        triple,
                        "highway.islands.shanghai.tunnel",
                        tunnel.key(),
                        "highway.islands.shanghai.timeout",
                        "10s",
                        "highway.heartbeat.interval",
                        "none",
                        "highway.sign.key-id",
                        "zj",
                        "highway.sign.secret",
                        secret)));
    }

    /** By another name: Dubbo would use the connection of home for the tunnel. */
    private String home() {
        return "dubbo://" + dubbo.replace("shanghai.test", "zhejiang.test");
    }

    private Vault vault(TestApplication caller) {
        return caller.reference(Vault.class, config -> config.setUrl(home())).get();
    }

    private GenericService generic(TestApplication caller) {
        return caller.<GenericService>reference(GenericService.class, config -> {
                    config.setInterface(VAULT);
                    config.setGeneric("true");
                    config.setUrl(home());
                })
                .get();
    }

    /** Whether its arguments were decoded, whether it may have run, and how it ends. */
    private static String result(Call call) {
        Trap.built.set(0);
        Throwable failure = catchThrowable(() -> Highway.to("shanghai").callChecked(call::make));
        String end =
                failure == null ? "served" : ((HighwayException) failure).mayHaveRun() + " " + failure.getMessage();
        return (Trap.built.get() == 0 ? "undecoded, " : "decoded, ") + end;
    }

    @ParameterizedTest
    @EnumSource
    void decodesOnlyWhatItAdmits(Tunnel tunnel) {
        Trap trap = new Trap();
        Vault allowed = vault(caller(tunnel, SECRET));
        Vault forging = vault(caller(tunnel, "another secret, as long as ours"));

        assertThat(result(() -> allowed.admire(trap))).isEqualTo("decoded, served");
        for (Call denied : List.<Call>of(() -> allowed.open(trap), () -> allowed.open(trap, 2))) {
            assertThat(result(denied)).startsWith("undecoded, false ").contains("not-allowed; ");
        }
        for (Call forged : List.<Call>of(() -> forging.admire(trap), () -> forging.open(trap, 2))) {
            assertThat(result(forged)).startsWith("undecoded, false ").contains("wrong-signature; ");
        }
    }

    @ParameterizedTest
    @EnumSource
    void decodesOnlyWhatItAdmits_ofGenericCalls(Tunnel tunnel) {
        String[] types = {Trap.class.getName()};
        Object[] trap = {new HashMap<>(Map.of("class", Trap.class.getName()))};
        GenericService allowed = generic(caller(tunnel, SECRET));
        GenericService forging = generic(caller(tunnel, "another secret, as long as ours"));

        assertThat(result(() -> allowed.$invoke("admire", types, trap))).isEqualTo("decoded, served");
        assertThat(result(() -> allowed.$invoke("open", types, trap))).contains("undecoded, false", "not-allowed; ");
        assertThat(result(() -> forging.$invoke("admire", types, trap)))
                .contains("undecoded, false", "wrong-signature");
    }

    /** Without the filter Dubbo decodes, and the guard cannot know what it has done. */
    @Test
    void refusesWhatWasDecoded_whereTheFilterIsSwitchedOff() {
        stop();
        applications.clear();
        provide(Map.of("header.filter", "-highway-guard"));
        Vault allowed = vault(caller(Tunnel.TRIPLE, SECRET));

        assertThat(result(() -> allowed.admire(new Trap()))).contains("unchecked; ", "header.filter");
    }

    private static byte[] body(String service, byte[] argument, Map<String, String> attachments) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        Hessian2Output head = new Hessian2Output(body);
        for (String text : List.of("2.0.2", service, "0.0.0", "admire", "Ljava/lang/Object;")) {
            head.writeString(text);
        }
        head.flush();
        body.write(argument);
        Hessian2Output tail = new Hessian2Output(body);
        tail.writeMapBegin(null);
        tail.writeString("path");
        tail.writeString(service);
        for (Map.Entry<String, String> each : attachments.entrySet()) {
            tail.writeString(each.getKey());
            tail.writeString(each.getValue());
        }
        tail.writeMapEnd();
        tail.flush();
        return body.toByteArray();
    }

    private static void frame(DataOutputStream out, int flags, int status, byte[] body) throws IOException {
        out.writeShort(0xdabb);
        out.writeByte(flags);
        out.writeByte(status);
        out.writeLong(7);
        out.writeInt(body.length);
        out.write(body);
    }

    /** Sends the frames, and a request; returns the answer to it. */
    private String answer(byte[] request, byte[]... before) throws IOException {
        String host = dubbo.substring(0, dubbo.lastIndexOf(':'));
        int port = Integer.parseInt(dubbo.substring(dubbo.lastIndexOf(':') + 1));
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        DataOutputStream all = new DataOutputStream(frames);
        for (byte[] each : before) {
            frame(all, EVENT, 0, each);
            frame(all, ANSWER, OK, each);
            frame(all, ANSWER, SERVICE_ERROR, each);
        }
        frame(all, REQUEST, 0, request);
        try (Socket socket = new Socket(host, port);
                DataInputStream in = new DataInputStream(socket.getInputStream())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(frames.toByteArray());
            in.skipNBytes(12);
            byte[] answer = new byte[in.readInt()];
            in.readFully(answer);
            return new String(answer, StandardCharsets.UTF_8);
        }
    }

    private static final Map<String, String> ROUTED =
            Map.of("highway-island", "shanghai", "highway-from", "zhejiang/zhejiang-app/1");

    @Test
    void readsNothingByALengthThatIsClaimed_inRequests_events_andAnswers() throws IOException {
        byte[] string = {5, 's', 'o', 'r', 'r', 'y'};

        assertThat(answer(body(VAULT, BOMB, Map.of()))).contains("malformed; ");
        assertThat(answer(body(VAULT, BOMB, ROUTED))).contains("malformed; ");
        assertThat(answer(body(VAULT, string, ROUTED), BOMB)).contains("unsigned; ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"io.highway.sdk.dubbo.it.UndecodedRequestsTest$Vault", "io.highway.Unknown"})
    void doesNotTellWhatIsExported(String service) throws Exception {
        byte[] string = {5, 's', 'o', 'r', 'r', 'y'};

        assertThat(answer(body(service, string, ROUTED))).contains("unsigned; ").doesNotContain("no-such");
        assertThat(answer(body(service, string, Map.of()))).contains("headers-missing; ");
        try (RawCaller raw = new RawCaller(triple)) {
            List<Field> routed = new ArrayList<>();
            ROUTED.forEach((name, value) -> routed.add(new Field(name, value)));

            assertThat(raw.answerToHeaders("/" + service + "/admire", routed)).contains("unsigned");
            assertThat(raw.answerToHeaders("/" + service + "/admire", List.of(new Field("tri-service-group", "zzz"))))
                    .contains("headers-missing");
        }
    }

    /** Two connections of one caller: neither a name nor a header is another after the check. */
    @Test
    void takesNoHeaderThatIsRenamed_afterTheFirstCheck() throws Exception {
        List<Field> renamed = List.of(
                new Field("highway-island", "shanghai"),
                new Field("highway-from", "zhejiang/zhejiang-app/1"),
                new Field("x", "v2;kid=zj"),
                new Field("tri-header-convert", "{\"x\":\"highway-sign\"}"));

        try (RawCaller raw = new RawCaller(triple)) {
            assertThat(raw.answerToHeaders("/" + VAULT + "/admire", renamed)).contains("unsigned");
        }
    }
}
