// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.highway.sdk.dubbo.internal.call.CanonicalMethod;
import io.highway.sdk.dubbo.internal.signature.CallSigner;
import io.highway.tools.fixtures.ports.FreePorts;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.Version;
import org.apache.dubbo.common.beanutil.JavaBeanDescriptor;
import org.apache.dubbo.common.serialize.ObjectOutput;
import org.apache.dubbo.common.serialize.Serialization;
import org.apache.dubbo.common.utils.SerializeCheckStatus;
import org.apache.dubbo.common.utils.SerializeSecurityManager;
import org.apache.dubbo.metadata.MetadataService;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The contents of decoding.txt, each sent by each protocol and serialization of its row: without a key (no route headers,
 * unsigned, forged), which is refused, or dropped if it is no request; with a key; and to providers that decode as Dubbo
 * does. Served: the service has run. Decoded: objects of the request were made, and it has not run. Refused, dropped:
 * neither. JSON is that of Triple's port of Dubbo 3.3. docs/operate/security.md sums it up.
 */
@Tag("network")
class DecodingTableTest {

    /** Counts what Dubbo makes of it, by its constructor or without, and its hashes. */
    public static final class Trap implements Serializable {

        private static final long serialVersionUID = 1L;

        static final AtomicInteger built = new AtomicInteger();

        private String name = "";

        /** Called by Dubbo. */
        public Trap() {
            built.incrementAndGet();
        }

        /** Called by Dubbo. */
        public String getName() {
            return name;
        }

        /** Called by Dubbo. */
        public void setName(String name) {
            built.incrementAndGet();
            this.name = name;
        }

        private Object readResolve() {
            built.incrementAndGet();
            return this;
        }

        @Override
        public int hashCode() {
            return built.incrementAndGet();
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }
    }

    /** An exception with an object in it. */
    public static final class TrapException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final Trap trap = new Trap();

        /** Called by Dubbo. */
        public Trap getTrap() {
            return trap;
        }
    }

    /** What is called back. */
    public interface Watcher {

        void seen(String what);
    }

    /** The service. */
    public interface Vault {

        String open(Object content);

        String pair(Object first, Object second);

        String take(Trap trap);

        String fail(TrapException failure);

        String watch(Object content, Watcher watcher);
    }

    private enum By {
        DUBBO("Dubbo"),
        TRIPLE("Triple"),
        HTTP("HTTP"),
        JSON_1("JSON by HTTP/1.1"),
        JSON_2("JSON by HTTP/2");

        private final String word;

        By(String word) {
            this.word = word;
        }

        boolean isJson() {
            return this == JSON_1 || this == JSON_2;
        }

        static By of(String word) {
            return Arrays.stream(values())
                    .filter(by -> by.word.equals(word))
                    .findAny()
                    .orElseThrow(() -> new AssertionError(word));
        }
    }

    private enum Key {
        NO_HEADERS,
        NONE,
        FORGED,
        OURS
    }

    private static final String SECRET = "0123456789abcdef0123456789abcdef";
    private static final String FROM = "zhejiang/zhejiang-app/1";
    private static final String VAULT = Vault.class.getName();
    private static final String TRAP = Trap.class.getName();
    private static final String OBJECT = "java.lang.Object";
    private static final String REASONS = "headers-missing|unsigned|wrong-signature|malformed|not(?: |%20)found";
    private static final String REFUSED = "refused";
    private static final String GRPC = "application/grpc+proto";
    private static final String JSON = "application/json";
    private static final int REQUEST = 0xc0;
    private static final int EVENT = 0xe0;
    private static final int ANSWER = 0;
    private static final int SERVICE_ERROR = 70;
    private static final int BAD_REQUEST = 40;
    private static final int TIMEOUT_MILLIS = 15_000;
    private static final int SILENCE_MILLIS = 1_500;

    /** By Dubbo's names. */
    private static final Map<String, Integer> SERIALIZATIONS =
            Map.of("hessian2", 2, "fastjson2", 23, "nativejava", 7, "kryo", 8, "fst", 9);

    private static final AtomicInteger ran = new AtomicInteger();
    private static final RawRequests raw = new RawRequests();
    private static final List<Provider> providers = new ArrayList<>();
    private static final FrameworkModel writing = new FrameworkModel();
    private static Provider guarded;
    private static CallSigner ours;
    private static CallSigner forging;

    /** A provider and its ports. */
    private record Provider(TestApplication application, String dubbo, String triple, String http)
            implements AutoCloseable {

        static Provider start(Map<String, String> keys) {
            Map<String, String> all = new HashMap<>(keys);
            int http = FreePorts.next();
            all.put("highway.island", "shanghai");
            all.put("highway.http.port", String.valueOf(http));
            TestApplication application = new TestApplication("shanghai", all);
            Provider provider = new Provider(
                    application, application.listen("dubbo"), application.listen("tri"), "shanghai.test:" + http);
            application
                    .export(Vault.class, proxy(Vault.class), service -> {
                        GuardedCallbacksTest.withCallback(service);
                        service.setSerialization(null);
                    })
                    .export(MetadataService.class, proxy(MetadataService.class), service -> {})
                    .start();
            providers.add(provider);
            return provider;
        }

        private static <T> T proxy(Class<T> type) {
            return type.cast(
                    Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, all) -> {
                        if (method.getDeclaringClass() != Object.class) {
                            ran.incrementAndGet();
                        }
                        return switch (method.getName()) {
                            case "hashCode" -> System.identityHashCode(self);
                            case "equals" -> self == all[0];
                            default -> method.getReturnType() == String.class ? "ran" : null;
                        };
                    }));
        }

        @Override
        public void close() {
            application.close();
        }
    }

    /** What is sent. An argument of {@code byte[]} in {@link #raw} is written as it is. */
    private static final class Content {

        final String method;
        final List<String> types;
        final List<Object> values = new ArrayList<>();
        final Map<String, Object> attachments = new LinkedHashMap<>();
        String service = VAULT;
        byte[] last;
        CanonicalMethod signed;
        String json;

        Content(String method, List<String> types, Object... values) {
            this.method = method;
            this.types = types;
            this.values.addAll(Arrays.asList(values));
            this.signed = new CanonicalMethod(method, types);
        }

        static Content open(Object value) {
            return new Content("open", List.of(OBJECT), value);
        }

        /** An object, and bytes behind it. */
        static Content pair(byte... last) {
            Content pair = new Content("pair", List.of(OBJECT, OBJECT), new Trap());
            pair.last = last;
            return pair;
        }

        static Content generic(String kind, Object value) {
            String[] types = {TRAP};
            Content generic = new Content(
                    "$invoke",
                    List.of("java.lang.String", "[Ljava.lang.String;", "[Ljava.lang.Object;"),
                    "take",
                    types,
                    new Object[] {value});
            generic.attachments.put("generic", kind);
            generic.signed = new CanonicalMethod("take", List.of(types));
            return generic;
        }

        Content json(String text) {
            json = text;
            return this;
        }

        Content attached(String name, Object value) {
            attachments.put(name, value);
            return this;
        }

        String descriptor() {
            StringBuilder all = new StringBuilder();
            types.forEach(type -> all.append(type.startsWith("[") ? type : "L" + type + ";"));
            return all.toString().replace('.', '/');
        }
    }

    /** The rows. Where it is decoded, a length and a depth are such that this process survives it. */
    private static Content content(String row, String serialization, boolean isDecoded) {
        return switch (row) {
            case "object in an argument" -> new Content("take", List.of(TRAP), new Trap()).json("[{\"name\":\"x\"}]");
            case "object in an attachment" -> Content.open("").attached("x", new Trap());
            case "object in an exception" ->
                new Content("fail", List.of(TrapException.class.getName()), new TrapException());
            case "hash sets in hash sets" -> Content.open(sets(isDecoded ? 5 : 60));
            case "list that contains itself" -> {
                List<Object> list = new ArrayList<>(List.of(new Trap()));
                list.add(list);
                yield Content.open(list);
            }
            case "10,000 lists in lists" -> {
                byte[] lists = new byte[10_001];
                Arrays.fill(lists, (byte) 0x79); // of one element
                lists[10_000] = 'N';
                yield Content.pair(lists);
            }
            case "array of 2^31 elements" -> {
                byte size = (byte) (isDecoded ? 0 : 0x7f);
                byte rest = (byte) (isDecoded ? 1 : 0xff);
                yield serialization.equals("hessian2")
                        ? Content.pair(
                                (byte) 'V',
                                (byte) 4,
                                (byte) '[',
                                (byte) 'i',
                                (byte) 'n',
                                (byte) 't',
                                (byte) 'I',
                                size,
                                size,
                                rest,
                                rest)
                        : Content.pair(size, size, rest, rest);
            }
            case "unknown service" -> {
                Content unknown = Content.open(new Trap());
                unknown.service = "io.highway.Unknown";
                yield unknown;
            }
            case "`$echo`" -> new Content("$echo", List.of(OBJECT), new Trap());
            case "`MetadataService`" -> {
                Content metadata = new Content("getMetadataInfo", List.of("java.lang.String"), new Trap());
                metadata.service = MetadataService.class.getName();
                yield metadata;
            }
            case "callback" ->
                new Content("watch", List.of(OBJECT, Watcher.class.getName()), new Trap(), null)
                        .attached("sys_callback_arg-1", "7");
            case "`generic=true`", "`generic=raw.return`" ->
                Content.generic(row.substring(9, row.length() - 1), Map.of("class", TRAP, "name", "x"))
                        .json("[\"take\",[\"" + TRAP + "\"],[{\"name\":\"x\"}]]");
            case "`generic=gson`" -> Content.generic("gson", "{\"name\":\"x\"}");
            case "`generic=protobuf-json`" -> Content.generic("protobuf-json", "{\"name\":\"x\"}");
            case "`generic=nativejava`" -> Content.generic("nativejava", nativeJava());
            case "`generic=bean` (`JavaBeanDescriptor`)" ->
                Content.generic("bean", new JavaBeanDescriptor(TRAP, JavaBeanDescriptor.TYPE_BEAN));
            default -> throw new AssertionError(row);
        };
    }

    private static Object sets(int depth) {
        Object inner = new Trap();
        for (int level = 0; level < depth; level++) {
            HashSet<Object> outer = new HashSet<>();
            outer.add(level == 0 ? inner : List.of(inner)); // hashed once here: it is written by structure
            inner = outer;
        }
        return inner;
    }

    private static byte[] nativeJava() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(new Trap());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return bytes.toByteArray();
    }

    @BeforeAll
    static void start() {
        writing.getBeanFactory().getBean(SerializeSecurityManager.class).setCheckStatus(SerializeCheckStatus.DISABLE);
        guarded = Provider.start(Map.of("highway.guard.require", "signature", "highway.sign.accept.zj", SECRET));
        Provider.start(Map.of());
        Provider.start(Map.of("highway.guard.home", "127.0.0.1", "highway.sign.accept.zj", SECRET));
        ours = signer(SECRET);
        forging = signer("another secret, as long as ours");
    }

    private static CallSigner signer(String secret) {
        return TestSigner.of("zhejiang", "zj", secret);
    }

    @AfterAll
    static void stop() {
        raw.close();
        providers.forEach(Provider::close);
        writing.destroy();
    }

    /** The rows of the table, by protocol and serialization. */
    static Stream<Arguments> rows() throws IOException {
        return Files.readString(Path.of("src/test/resources/decoding.txt"))
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split(" \\| "))
                .flatMap(cells -> Arrays.stream(cells[0].split("; ")).flatMap(row -> Arrays.stream(cells[2].split(", "))
                        .flatMap(by -> Arrays.stream(cells[1].split(", "))
                                .map(serialization -> arguments(row, serialization, By.of(by), cells[3], cells[4])))));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void theTableIsTrue(String row, String serialization, By by, String with, String home) throws Exception {
        assumeTrue(!by.isJson() || Version.getVersion().startsWith("3.3"), "Dubbo 3.2 reads no JSON on Triple's port");

        String without = row.endsWith(" frame") ? "dropped" : REFUSED;
        for (Key key : List.of(Key.NO_HEADERS, Key.NONE, Key.FORGED)) {
            assertThat(result(row, serialization, by, key, guarded, without))
                    .as(key.name())
                    .isEqualTo(without);
        }
        assumeTrue(Version.getVersion().startsWith("3.3"), "the other columns are those of Dubbo 3.3");
        assertThat(result(row, serialization, by, Key.OURS, guarded, with))
                .as("with a key")
                .isEqualTo(with);
        for (Provider open : providers.subList(1, by == By.HTTP ? 2 : providers.size())) {
            Key key = by == By.HTTP ? Key.NONE : Key.NO_HEADERS;
            assertThat(result(row, serialization, by, key, open, home))
                    .as("home")
                    .isEqualTo(home);
        }
    }

    private static String result(String row, String serialization, By by, Key key, Provider provider, String expected)
            throws Exception {
        if (row.endsWith(" frame")) {
            return resultOfFrame(row, serialization, provider, expected);
        }
        boolean isDecoded = !expected.equals(REFUSED);
        Content content = content(row, serialization, isDecoded);
        Map<String, String> headers = headers(content, by, key);
        Frame frame = new Frame(content, serialization, headers);
        byte[] body =
                switch (by) {
                    case DUBBO, HTTP -> frame.bytes();
                    case TRIPLE -> RawRequests.message(0, frame.wrapper().length, frame.wrapper());
                    case JSON_1, JSON_2 -> content.json.getBytes(UTF_8);
                };
        Trap.built.set(0);
        ran.set(0);
        String answer =
                switch (by) {
                    case DUBBO -> Frame.exchange(provider.dubbo(), body, isKnown(serialization));
                    case HTTP -> overHttp(provider, content, headers, body);
                    case TRIPLE -> overHttp2(provider, content, headers, GRPC, body);
                    case JSON_1 -> overHttp1(provider, content, headers, body);
                    case JSON_2 -> overHttp2(provider, content, headers, JSON, body);
                };
        if (provider == guarded && key != Key.OURS) {
            assertThat(answer).as("the guard's refusal").containsPattern(REASONS);
        }
        return ran.get() > 0 ? "served" : Trap.built.get() > 0 ? "decoded" : REFUSED;
    }

    private static boolean isKnown(String serialization) {
        return serialization.equals("hessian2") || serialization.equals("fastjson2");
    }

    private static Map<String, String> headers(Content content, By by, Key key) {
        Map<String, String> headers = new LinkedHashMap<>();
        if (key != Key.NO_HEADERS) {
            headers.put("highway-island", "shanghai");
            headers.put("highway-from", FROM);
        }
        if (key == Key.FORGED || key == Key.OURS) {
            CanonicalMethod method = by.isJson() ? new CanonicalMethod(content.method, content.types) : content.signed;
            headers.put(
                    "highway-sign", (key == Key.OURS ? ours : forging).sign("shanghai", FROM, content.service, method));
        }
        return headers;
    }

    /**
     * A frame that is no request has no key. An event that is decoded is answered, as it cannot be read; what is dropped is
     * not: a request behind it is answered first.
     */
    private static String resultOfFrame(String row, String serialization, Provider provider, String expected)
            throws IOException {
        int serializationId = SERIALIZATIONS.get(serialization);
        boolean isEvent = row.equals("event frame");
        Frame object = new Frame(Content.open(new Trap()), serialization, Map.of());
        byte[] frame = isEvent
                ? Frame.bytes(EVENT | serializationId, 0, 6, event(serialization))
                : Frame.bytes(ANSWER | serializationId, SERVICE_ERROR, 6, object.value(new Trap()));
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(frame);
        if (!isEvent || !expected.equals("decoded")) {
            all.writeBytes(new Frame(content("unknown service", "hessian2", true), "hessian2", Map.of()).bytes());
        }
        Trap.built.set(0);
        String first = Frame.exchange(provider.dubbo(), all.toByteArray(), true);
        return first.startsWith("6 " + BAD_REQUEST) || Trap.built.get() > 0 ? "decoded" : "dropped";
    }

    /** An array or element of a length that is only claimed, as short as an event. */
    private static byte[] event(String serialization) {
        return serialization.equals("hessian2")
                ? new byte[] {'V', 1, '[', (byte) 0xd5, 0, 0}
                : new byte[] {0, 1, 0, 0, 'x', 'x'};
    }

    /** A request in the forms of the Dubbo protocol and of Triple. */
    private record Frame(Content content, String serialization, Map<String, String> headers) {

        private static final String WRITTEN = "hessian2";

        private ObjectOutput output(ByteArrayOutputStream bytes) throws IOException {
            String writer = isKnown(serialization) ? serialization : WRITTEN;
            return writing.getExtensionLoader(Serialization.class)
                    .getExtension(writer)
                    .serialize(URL.valueOf("dubbo://any").setScopeModel(writing), bytes);
        }

        byte[] value(Object value) throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            ObjectOutput out = output(bytes);
            out.writeObject(value);
            out.flushBuffer();
            return bytes.toByteArray();
        }

        byte[] bytes() throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            ObjectOutput out = output(bytes);
            for (String text : List.of("2.0.2", content.service, "0.0.0", content.method, content.descriptor())) {
                out.writeUTF(text);
            }
            for (Object value : content.values) {
                out.writeObject(value);
            }
            out.flushBuffer();
            if (content.last != null) {
                bytes.writeBytes(content.last);
            }
            Map<String, Object> attachments = new HashMap<>(headers);
            attachments.put("path", content.service);
            attachments.put("interface", content.service);
            attachments.putAll(content.attachments);
            out.writeAttachments(attachments);
            out.flushBuffer();
            return bytes(REQUEST | SERIALIZATIONS.get(serialization), 0, 7, bytes.toByteArray());
        }

        static byte[] bytes(int flags, int status, long id, byte[] body) throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeShort(0xdabb);
            out.writeByte(flags);
            out.writeByte(status);
            out.writeLong(id);
            out.writeInt(body.length);
            out.write(body);
            return bytes.toByteArray();
        }

        /** Sends bytes; returns id, status and text of the first answer. */
        static String exchange(String address, byte[] bytes, boolean isKnown) throws IOException {
            int colon = address.lastIndexOf(':');
            try (Socket socket =
                            new Socket(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
                    DataInputStream in = new DataInputStream(socket.getInputStream())) {
                socket.setSoTimeout(isKnown ? TIMEOUT_MILLIS : SILENCE_MILLIS);
                socket.getOutputStream().write(bytes);
                in.skipNBytes(3);
                int status = in.readByte();
                long id = in.readLong();
                byte[] answer = new byte[in.readInt()];
                in.readFully(answer);
                return id + " " + status + " " + new String(answer, UTF_8);
            } catch (SocketTimeoutException e) {
                assertThat(isKnown)
                        .as("answered")
                        .isFalse(); // plain Dubbo cannot answer in a serialization that it lacks
                return "";
            }
        }

        /** Dubbo's {@code TripleRequestWrapper}. */
        byte[] wrapper() throws IOException {
            ByteArrayOutputStream wrapper = new ByteArrayOutputStream();
            field(wrapper, 1, (serialization.equals("hessian2") ? "hessian4" : serialization).getBytes(UTF_8));
            for (Object value : content.values) {
                field(wrapper, 2, value(value));
            }
            if (content.last != null) {
                field(wrapper, 2, content.last);
            }
            for (String type : content.types) {
                field(wrapper, 3, type.getBytes(UTF_8));
            }
            return wrapper.toByteArray();
        }

        private static void field(ByteArrayOutputStream out, int number, byte[] value) {
            out.write(number << 3 | 2);
            int length = value.length;
            for (; length > 0x7f; length >>>= 7) {
                out.write(length | 0x80);
            }
            out.write(length);
            out.writeBytes(value);
        }
    }

    private static String overHttp(Provider provider, Content content, Map<String, String> headers, byte[] body)
            throws IOException {
        RawHttpCaller.Call call = new RawHttpCaller.Call(content.method, content.descriptor());
        call.path = "/highway/shanghai/" + content.service + "/" + content.method;
        call.headers.keySet().removeAll(List.of("highway-island", "highway-from"));
        call.headers.putAll(headers);
        call.body = body;
        try (RawHttpCaller http = new RawHttpCaller(provider.http())) {
            return String.valueOf(http.call(call));
        }
    }

    private static String overHttp1(Provider provider, Content content, Map<String, String> headers, byte[] body)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://" + provider.triple() + "/" + content.service + "/" + content.method))
                .timeout(Duration.ofMillis(TIMEOUT_MILLIS))
                .header("content-type", JSON)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        headers.forEach(request::header);
        HttpResponse<String> answer = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .build()
                .send(request.build(), HttpResponse.BodyHandlers.ofString());
        return answer.statusCode() + " " + answer.body();
    }

    private static String overHttp2(
            Provider provider, Content content, Map<String, String> headers, String type, byte[] data)
            throws Exception {
        Http2Headers all = new DefaultHttp2Headers(false)
                .method("POST")
                .scheme("http")
                .authority("shanghai.test")
                .path("/" + content.service + "/" + content.method)
                .add("content-type", type)
                .add("te", "trailers");
        headers.forEach(all::add);
        content.attachments.forEach((name, value) -> all.add(name, String.valueOf(value)));
        CompletableFuture<String> answer = new CompletableFuture<>();
        Channel connection = raw.connect("tri://" + provider.triple(), new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel client) {
                client.pipeline()
                        .addLast(Http2FrameCodecBuilder.forClient().build())
                        .addLast(new Http2MultiplexHandler(new ChannelInboundHandlerAdapter()));
            }
        });
        Channel stream = new Http2StreamChannelBootstrap(connection)
                .handler(new RawCaller.Answer(answer))
                .open()
                .sync()
                .getNow();
        stream.write(new DefaultHttp2HeadersFrame(all));
        stream.writeAndFlush(new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(data), true))
                .sync();
        return answer.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    }
}
