// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highway.sdk.Highway;
import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.HighwayScope;
import io.highway.sdk.Island;
import io.highway.sdk.IslandKey;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.Intent;
import io.highway.sdk.dubbo.IntentSource;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.PolicyParser;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import io.highway.sdk.internal.Texts;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.url.component.ServiceConfigURL;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.model.ServiceModel;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class IntentResolverTest {

    /** An interface with every annotation. */
    @Island(value = "by-interface", when = Island.When.HOME_ABSENT)
    interface Annotated {

        String plain(String item);

        @Island("by-method")
        String method(String item);

        @Island(value = "by-method", when = Island.When.HOME_ABSENT)
        String methodIfAbsent(String item);

        @Island("by-method")
        String keyed(@IslandKey String island, String item);

        @Island("by-overload-of-string")
        String overloaded(String item);

        @Island("by-overload-of-int")
        String overloaded(int item);

        String overloaded(long item);

        @Island("by-overload-of-two")
        String overloaded(String item, int[] counts);

        @Island("by-no-arguments")
        String nothing();
    }

    /** Without annotations, so that references and configuration decide. */
    interface Plain {
        String plain(String item);
    }

    /** Every method names its island. */
    interface Complete {

        @Island("shanghai")
        String method(String item);

        String keyed(@IslandKey String island);
    }

    /** Every shape a key can be read from. */
    interface Keys {

        void text(String item, @IslandKey String island);

        void number(@IslandKey int island);

        void any(@IslandKey Object island);

        void code(@IslandKey("code") Object order);

        void addressCode(@IslandKey("address.code") Object order);
    }

    public record Address(String code) {}

    public record OrderRecord(String item, Address address) {}

    public static final class OrderBean {

        private final Object address;

        public OrderBean(Object address) {
            this.address = address;
        }

        public Object getAddress() {
            return address;
        }

        public boolean isCode() {
            return true;
        }
    }

    public static final class OrderFields {

        public static final String ITEM = "tea";
        public final String code = "310000";
        private final String secret = "310000";

        @Override
        public String toString() {
            return secret;
        }
    }

    public static final class Broken {
        public String getCode() {
            throw new IllegalStateException("no code yet");
        }
    }

    private final Policy policy = policy("highway.services." + Plain.class.getName() + ".island", "by-configuration");

    @AfterEach
    void nothingIsLeftOnTheThread() {
        assertThat(RpcContext.getClientAttachment().getObjectAttachment(HighwayAttachments.ISLAND))
                .isNull();
        RpcContext.removeContext();
    }

    private static Policy policy(String... keysAndValues) {
        Map<String, String> entries = new LinkedHashMap<>();
        entries.put("highway.island", "zhejiang");
        entries.put("highway.islands.by-configuration.retries", "0");
        entries.put("highway.islands.beijing.retries", "0");
        for (int i = 0; i < keysAndValues.length; i += 2) {
            entries.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return PolicyParser.parse(RawSettings.of(entries, "test"), "static", null)
                .orElseThrow();
    }

    private static URL url(String interfaceName, String... parameters) {
        Map<String, String> all = new HashMap<>();
        all.put("interface", interfaceName);
        for (int i = 0; i < parameters.length; i += 2) {
            all.put(parameters[i], parameters[i + 1]);
        }
        return new ServiceConfigURL("consumer", "127.0.0.1", 0, interfaceName, all);
    }

    private static IntentResolver intents(Class<?> type, String... parameters) {
        return IntentResolver.of(type, url(type.getName(), parameters));
    }

    private static RpcInvocation call(String method, Class<?>[] types, Object... arguments) {
        return new RpcInvocation((ServiceModel) null, method, "any.Interface", "", types, arguments);
    }

    private static RpcInvocation call(String method, String argument) {
        return call(method, new Class<?>[] {String.class}, argument);
    }

    private static RpcInvocation generic(String via, String method, String[] types, Object... arguments) {
        return new RpcInvocation(
                (ServiceModel) null,
                via,
                GenericService.class.getName(),
                "",
                new Class<?>[] {String.class, String[].class, Object[].class},
                new Object[] {method, types, arguments});
    }

    private static void attach(Object island) {
        RpcContext.getClientAttachment().setObjectAttachment(HighwayAttachments.ISLAND, island);
    }

    private static Intent intent(IntentSource source, String island) {
        return Intent.of(source, island);
    }

    @Test
    void refusesGenericCalls_whoseKeyArgumentIsMissing() {
        IntentResolver annotated = intents(Annotated.class);
        String[] types = {String.class.getName(), String.class.getName()};
        RpcInvocation none = generic("$invoke", "keyed", types);
        RpcInvocation one = generic("$invoke", "keyed", types, "by-key");
        RpcInvocation nothing = generic("$invoke", "keyed", types);
        nothing.setArguments(new Object[] {"keyed", types, null});

        for (RpcInvocation call : List.of(none, one, nothing)) {
            assertThat(annotated.resolve(call, policy).problem()).contains("arguments");
        }
    }

    @Test
    void takesTheFirstAnswer_fromAttachmentToHome() {
        IntentResolver annotated = intents(Annotated.class, HighwayAttachments.ISLAND, "by-reference");
        IntentResolver unannotated = intents(Plain.class);
        RpcInvocation keyed = call("keyed", new Class<?>[] {String.class, String.class}, "by-key", "tea");

        attach("by-attachment");
        Intent attachment = Highway.to("by-scope").call(() -> annotated.resolve(keyed, policy));
        Intent scope = Highway.to("by-scope").call(() -> annotated.resolve(keyed, policy));
        Intent key = annotated.resolve(keyed, policy);
        Intent method = annotated.resolve(call("method", "tea"), policy);
        Intent reference = annotated.resolve(call("plain", "tea"), policy);
        Intent type = intents(Annotated.class).resolve(call("plain", "tea"), policy);
        Intent configuration = unannotated.resolve(call("plain", "tea"), policy);
        Intent none = unannotated.resolve(call("plain", "tea"), policy());

        assertThat(attachment).isEqualTo(intent(IntentSource.ATTACHMENT, "by-attachment"));
        assertThat(scope).isEqualTo(intent(IntentSource.SCOPE, "by-scope"));
        assertThat(key).isEqualTo(intent(IntentSource.KEY, "by-key"));
        assertThat(method).isEqualTo(intent(IntentSource.METHOD, "by-method"));
        assertThat(reference).isEqualTo(intent(IntentSource.REFERENCE, "by-reference"));
        assertThat(type).isEqualTo(Intent.of(IntentSource.INTERFACE, "by-interface", Island.When.HOME_ABSENT));
        assertThat(configuration).isEqualTo(intent(IntentSource.CONFIGURATION, "by-configuration"));
        assertThat(none).isSameAs(Intent.NONE);
    }

    @Test
    void prefersTheInterfaceToTheConfiguration() {
        Policy configured = policy("highway.services." + Annotated.class.getName() + ".island", "by-configuration");

        Intent intent = intents(Annotated.class).resolve(call("plain", "tea"), configured);

        assertThat(intent.source()).isEqualTo(IntentSource.INTERFACE);
    }

    @Test
    void usesTheAttachmentUp_andLeavesOthers() {
        IntentResolver intents = intents(Plain.class);
        RpcContext.getClientAttachment().setAttachment("mine", "stays");
        attach("shanghai");

        Intent first = intents.resolve(call("plain", "tea"), policy());
        Intent second = intents.resolve(call("plain", "tea"), policy());

        assertThat(first).isEqualTo(intent(IntentSource.ATTACHMENT, "shanghai"));
        assertThat(second).isSameAs(Intent.NONE);
        assertThat(RpcContext.getClientAttachment().getAttachment("mine")).isEqualTo("stays");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Shanghai", "shang\r\nhai"})
    void handsABadAttachmentOn_asItIs(String island) {
        attach(island);

        Intent intent = intents(Plain.class).resolve(call("plain", "tea"), policy);

        assertThat(intent).isEqualTo(intent(IntentSource.ATTACHMENT, island));
    }

    @Test
    void readsAnAttachmentThatIsNoText() {
        attach(310000);

        Intent intent = intents(Plain.class).resolve(call("plain", "tea"), policy);

        assertThat(intent.asked()).isEqualTo("310000");
    }

    @Test
    void ignoresTheAttachmentsOfTheInvocation_whichMayComeFromUpstream() {
        RpcInvocation invocation = call("plain", "tea");
        invocation.setAttachment(HighwayAttachments.ISLAND, "upstream");

        assertThat(intents(Plain.class).resolve(invocation, policy())).isSameAs(Intent.NONE);
    }

    @Test
    void isHome_inAScopeOfHome() {
        Intent intent = Highway.home().call(() -> intents(Annotated.class).resolve(call("method", "tea"), policy));

        assertThat(intent.source()).isEqualTo(IntentSource.SCOPE);
        assertThat(intent.asked()).isNull();
        assertThat(intent.isNone()).isFalse();
        assertThat(intent).hasToString("home (from scope)");
    }

    @Test
    void takesTheInnermostScope() {
        HighwayScope outer = Highway.to("outer").open();

        Intent inner = Highway.to("inner").call(() -> intents(Plain.class).resolve(call("plain", "tea"), policy));

        assertThat(inner.asked()).isEqualTo("inner");
        outer.close();
    }

    @Test
    void tellsOverloadsApart_byTheirParameterTypes() {
        IntentResolver intents = intents(Annotated.class);

        Intent text = intents.resolve(call("overloaded", "tea"), policy);
        Intent number = intents.resolve(call("overloaded", new Class<?>[] {int.class}, 1), policy);
        Intent unannotated = intents.resolve(call("overloaded", new Class<?>[] {long.class}, 1L), policy);
        Intent two = intents.resolve(
                call("overloaded", new Class<?>[] {String.class, int[].class}, "tea", new int[0]), policy);
        Intent nothing = intents.resolve(call("nothing", new Class<?>[0]), policy);

        assertThat(text.asked()).isEqualTo("by-overload-of-string");
        assertThat(number.asked()).isEqualTo("by-overload-of-int");
        assertThat(unannotated.source()).isEqualTo(IntentSource.INTERFACE);
        assertThat(two.asked()).isEqualTo("by-overload-of-two");
        assertThat(nothing.asked()).isEqualTo("by-no-arguments");
    }

    static Stream<Arguments> genericCalls() {
        return Stream.of("$invoke", "$invokeAsync")
                .flatMap(via -> Stream.of(
                        Arguments.of(via, "method", new String[] {"java.lang.String"}, List.of("tea"), "by-method"),
                        Arguments.of(via, "method", new String[0], List.of("tea"), "by-method"),
                        Arguments.of(via, "method", null, List.of("tea"), "by-method"),
                        Arguments.of(
                                via,
                                "keyed",
                                new String[] {"java.lang.String", "java.lang.String"},
                                List.of("by-key", "tea"),
                                "by-key"),
                        Arguments.of(via, "keyed", null, List.of("by-key", "tea"), "by-key"),
                        Arguments.of(via, "overloaded", new String[] {"int"}, List.of(1), "by-overload-of-int"),
                        Arguments.of(
                                via,
                                "overloaded",
                                new String[] {"java.lang.String", "int[]"},
                                List.of("tea", new int[0]),
                                "by-overload-of-two"),
                        Arguments.of(
                                via,
                                "overloaded",
                                new String[] {"java.lang.String", "[I"},
                                List.of("tea", new int[0]),
                                "by-overload-of-two"),
                        Arguments.of(via, "overloaded", null, List.of("tea", new int[0]), "by-overload-of-two"),
                        Arguments.of(via, "overloaded", new String[] {"long"}, List.of(1L), "by-interface"),
                        Arguments.of(via, "plain", new String[] {"java.lang.String"}, List.of("tea"), "by-interface"),
                        Arguments.of(via, "unknown", null, List.of(), "by-interface")));
    }

    @ParameterizedTest
    @MethodSource("genericCalls")
    void seesThroughGenericCalls(String via, String method, String[] types, List<Object> arguments, String island) {
        Intent intent = intents(Annotated.class).resolve(generic(via, method, types, arguments.toArray()), policy);

        assertThat(intent.asked()).isEqualTo(island);
    }

    static Stream<Arguments> misspelledCalls() {
        return Stream.of("$invoke", "$invokeAsync")
                .flatMap(via -> Stream.of(
                        Arguments.of(via, "Method", new String[] {"java.lang.String"}, List.of("tea")),
                        Arguments.of(via, " METHOD ", null, List.of("tea")),
                        Arguments.of(via, "method", new String[] {" java.lang.String"}, List.of("tea")),
                        Arguments.of(via, "method", new String[] {"java.lang.string"}, List.of("tea")),
                        Arguments.of(via, "method", new String[] {"Ljava/lang/String;"}, List.of("tea")),
                        Arguments.of(via, "method", new String[] {null}, List.of("tea")),
                        Arguments.of(via, "method", null, List.of()),
                        Arguments.of(via, "keyeD", null, List.of("by-key", "tea")),
                        Arguments.of(via, "overloaded", new String[] {"java.lang.Long"}, List.of(1L))));
    }

    @ParameterizedTest
    @MethodSource("misspelledCalls")
    void determinesNoIsland_ifAGenericCallWritesAnAnnotatedMethodOtherwise(
            String via, String method, String[] types, List<Object> arguments) {
        RpcInvocation call = generic(via, method, types, arguments.toArray());

        assertThat(intents(Annotated.class).resolve(call, policy).problem()).contains(method.trim());
        assertThat(intents(Annotated.class).resolveUnconfigured(call).problem()).contains(method.trim());
        Highway.to("shanghai").run(() -> assertThat(intents(Annotated.class).resolve(call, policy))
                .isEqualTo(intent(IntentSource.SCOPE, "shanghai")));
    }

    @Test
    void readsTheKeysOfGenericBeans_fromTheirMaps() {
        Map<String, Object> order = Map.of("address", Map.of("code", "310000"));

        Intent intent = intents(Keys.class)
                .resolve(generic("$invoke", "addressCode", new String[] {"java.lang.Object"}, order), policy);

        assertThat(intent).isEqualTo(intent(IntentSource.KEY, "310000"));
    }

    @Test
    void knowsReferenceAndConfiguration_whenTheClassIsAbsent() {
        String absent = "com.absent.Sms";
        RpcInvocation call = generic("$invoke", "send", null);

        Intent reference = IntentResolver.of(null, url(absent, HighwayAttachments.ISLAND, "shanghai"))
                .resolve(call, policy);
        Intent configuration = IntentResolver.of(null, url(absent))
                .resolve(call, policy("highway.services." + absent + ".island", "beijing"));

        assertThat(reference).isEqualTo(intent(IntentSource.REFERENCE, "shanghai"));
        assertThat(configuration).isEqualTo(intent(IntentSource.CONFIGURATION, "beijing"));
    }

    static Stream<Arguments> readableKeys() {
        return Stream.of(
                Arguments.of("text", new Object[] {"tea", "310000"}, "310000"),
                Arguments.of("text", new Object[] {"tea", ""}, ""),
                Arguments.of("number", new Object[] {310000}, "310000"),
                Arguments.of("any", new Object[] {new StringBuilder("310000")}, "310000"),
                Arguments.of("code", new Object[] {Map.of("code", "310000")}, "310000"),
                Arguments.of("code", new Object[] {Map.of("code", 310000)}, "310000"),
                Arguments.of("code", new Object[] {new Address("310000")}, "310000"),
                Arguments.of("code", new Object[] {new OrderFields()}, "310000"),
                Arguments.of("code", new Object[] {new OrderBean(null)}, "true"),
                Arguments.of("addressCode", new Object[] {new OrderRecord("tea", new Address("310000"))}, "310000"),
                Arguments.of("addressCode", new Object[] {new OrderBean(new Address("310000"))}, "310000"),
                Arguments.of("addressCode", new Object[] {new OrderBean(Map.of("code", "310000"))}, "310000"),
                Arguments.of("addressCode", new Object[] {Map.of("address", new OrderFields())}, "310000"));
    }

    @ParameterizedTest
    @MethodSource("readableKeys")
    void readsTheKey(String method, Object[] arguments, String key) {
        Intent intent = intents(Keys.class).resolve(keyedCall(method, arguments), policy);

        assertThat(intent).isEqualTo(intent(IntentSource.KEY, key));
    }

    static Stream<Arguments> unreadableKeys() {
        String none = "no map entry, record component, getter or public field";
        return Stream.of(
                Arguments.of("text", new Object[] {"tea", null}, "argument 2 is null"),
                Arguments.of("any", new Object[] {null}, "argument 1 is null"),
                Arguments.of("code", new Object[] {null}, "argument 1 is null"),
                Arguments.of("code", new Object[] {Map.of()}, "argument 1.code is null"),
                Arguments.of("code", new Object[] {new Address(null)}, "argument 1.code is null"),
                Arguments.of("addressCode", new Object[] {new OrderBean(null)}, "argument 1.address is null"),
                Arguments.of(
                        "addressCode",
                        new Object[] {new OrderRecord("tea", new Address(null))},
                        "argument 1.address.code is null"),
                Arguments.of(
                        "code",
                        new Object[] {"tea"},
                        "argument 1 (java.lang.String) has no property \"code\": " + none),
                Arguments.of(
                        "addressCode",
                        new Object[] {new OrderFields()},
                        "argument 1 (" + OrderFields.class.getName() + ") has no property \"address\": " + none),
                Arguments.of(
                        "addressCode",
                        new Object[] {new OrderBean("tea")},
                        "argument 1.address (java.lang.String) has no property \"code\": " + none));
    }

    @ParameterizedTest
    @MethodSource("unreadableKeys")
    void reportsWhyThereIsNoKey(String method, Object[] arguments, String problem) {
        Intent intent = intents(Keys.class).resolve(keyedCall(method, arguments), policy);

        assertThat(intent.source()).isEqualTo(IntentSource.KEY);
        assertThat(intent.asked()).isNull();
        assertThat(intent.problem()).isEqualTo(problem);
        assertThat(intent).hasToString("an island by key (from key)");
    }

    @Test
    void reportsAFailingGetter() {
        Intent intent = intents(Keys.class).resolve(keyedCall("code", new Broken()), policy);

        assertThat(intent.asked()).isNull();
        assertThat(intent.problem()).startsWith("argument 1.code cannot be read: ");
    }

    private static RpcInvocation keyedCall(String method, Object... arguments) {
        Class<?>[] types = Arrays.stream(Keys.class.getMethods())
                .filter(declared -> declared.getName().equals(method))
                .findFirst()
                .orElseThrow()
                .getParameterTypes();
        return call(method, types, arguments);
    }

    @Test
    void readsTheSameClassAgain_alsoFromManyThreads() {
        IntentResolver intents = intents(Keys.class);

        List<CompletableFuture<Intent>> all = Stream.generate(() -> CompletableFuture.supplyAsync(
                        () -> intents.resolve(keyedCall("addressCode", new OrderBean(new Address("310000"))), policy)))
                .limit(50)
                .toList();

        assertThat(all).extracting(CompletableFuture::join).containsOnly(intent(IntentSource.KEY, "310000"));
    }

    @Test
    void readsWhenFromAnnotations() {
        Intent intent = intents(Annotated.class).resolve(call("methodIfAbsent", "tea"), policy);

        assertThat(intent).isEqualTo(Intent.of(IntentSource.METHOD, "by-method", Island.When.HOME_ABSENT));
    }

    @ParameterizedTest
    @CsvSource({"always, ALWAYS", "ALWAYS, ALWAYS", "home-absent, HOME_ABSENT", "Home-Absent, HOME_ABSENT"})
    void readsWhenFromTheReference(String when, Island.When expected) {
        IntentResolver intents =
                intents(Plain.class, HighwayAttachments.ISLAND, "shanghai", IntentResolver.WHEN_PARAMETER, when);

        assertThat(intents.resolve(call("plain", "tea"), policy))
                .isEqualTo(Intent.of(IntentSource.REFERENCE, "shanghai", expected));
    }

    @Test
    void refusesAReferenceWithABadWhen() {
        assertThatThrownBy(() -> intents(
                        Plain.class, HighwayAttachments.ISLAND, "shanghai", IntentResolver.WHEN_PARAMETER, "absent"))
                .isInstanceOf(HighwayConfigurationException.class)
                .hasMessage("reference parameter highway-when of " + Plain.class.getName()
                        + ": \"absent\" is not allowed; allowed: always, home-absent. Write one of them");
    }

    @Test
    void refusesAReferenceWithWhenAndNoIsland() {
        assertThatThrownBy(() -> intents(Plain.class, IntentResolver.WHEN_PARAMETER, "home-absent"))
                .isInstanceOf(HighwayConfigurationException.class)
                .hasMessage("reference parameter highway-island of " + Plain.class.getName()
                        + ": missing, though highway-when is set. Write both, or remove highway-when");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Shanghai", "shang hai", "上海", "-"})
    void refusesAReferenceWithABadIsland(String island) {
        assertThatThrownBy(() -> intents(Plain.class, HighwayAttachments.ISLAND, island))
                .isInstanceOf(HighwayConfigurationException.class)
                .hasMessage(Texts.islandProblem(
                                "reference parameter highway-island of " + Plain.class.getName() + ": island", island)
                        + ". Write the island's id");
    }

    @ParameterizedTest
    @CsvSource({
        "highway-iland, Did you mean \"highway-island\"?",
        "highway-wen, Did you mean \"highway-when\"?",
        "Highway-Island, Did you mean \"highway-island\"?",
        "highway.island, Did you mean \"highway-island\"?",
        "highwayIsland, Did you mean \"highway-island\"?",
        "highway_when, Did you mean \"highway-when\"?",
        "highway-tunnel, there is no such parameter. Known here: highway-island, highway-when",
        "highway, there is no such parameter. Known here: highway-island, highway-when",
        "plain.highway-island, a method's parameters are not read. Write @Island on the method",
        "plain.highway-iland, there is no such parameter",
    })
    void refusesAReferenceParameterThatDoesNotExist(String name, String sentence) {
        assertThatThrownBy(() -> intents(Plain.class, HighwayAttachments.ISLAND, "shanghai", name, "beijing"))
                .isInstanceOf(HighwayConfigurationException.class)
                .hasMessageStartingWith("reference parameter " + name + " of " + Plain.class.getName() + ": ")
                .hasMessageContaining(sentence);
    }

    @ParameterizedTest
    @ValueSource(strings = {"highways", "highway2", "my-highway-island", "plain.timeout", "timeout"})
    void leavesTheParametersOfOthersAlone(String name) {
        assertThat(intents(Plain.class, name, "any").resolve(call("plain", "tea"), policy()))
                .isSameAs(Intent.NONE);
    }

    @Test
    void knowsWhetherEveryCallHasADestination() {
        assertThat(intents(Plain.class).isBound(policy())).isFalse();
        assertThat(intents(Plain.class).isBound(policy)).isTrue();
        assertThat(intents(Plain.class)
                        .isBound(policy("highway.services." + Plain.class.getName() + ".require-island", "true")))
                .isTrue();
        assertThat(intents(Plain.class, HighwayAttachments.ISLAND, "shanghai").isBound(policy()))
                .isTrue();
        assertThat(intents(Annotated.class).isBound(policy())).isTrue();
        assertThat(intents(Complete.class).isBound(policy())).isTrue();
        assertThat(IntentResolver.of(null, url("com.absent.Sms")).isBound(policy()))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "ATTACHMENT, attachment",
        "SCOPE, scope",
        "METHOD, method",
        "REFERENCE, reference",
        "INTERFACE, interface",
        "CONFIGURATION, configuration"
    })
    void namesTheSourceOfAnIntent(IntentSource source, String word) {
        assertThat(source.word()).isEqualTo(word);
        assertThat(intent(source, "shang\nhai")).hasToString("island \"shang\\u000ahai\" (from " + word + ")");
    }

    @Test
    void namesTheKey_orThatNoIslandIsRequested() {
        assertThat(intent(IntentSource.KEY, "310000")).hasToString("the island of key \"310000\" (from key)");
        assertThat(Intent.NONE).hasToString("home (no island requested)");
        assertThat(Intent.NONE.isNone()).isTrue();
    }
}
