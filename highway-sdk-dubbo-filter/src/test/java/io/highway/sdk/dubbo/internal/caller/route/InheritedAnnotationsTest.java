// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highway.sdk.Island;
import io.highway.sdk.IslandKey;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.Intent;
import io.highway.sdk.dubbo.IntentSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.dubbo.common.url.component.ServiceConfigURL;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.model.ServiceModel;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an interface inherits from the interfaces that it extends. */
class InheritedAnnotationsTest {

    @Island("shanghai")
    interface Base {

        String send(String text);

        @Island("beijing")
        String report(String text);

        String ship(@IslandKey String island, String text);
    }

    interface Silent extends Base {}

    interface SilentTwice extends Silent {}

    @Island("wuhan")
    interface Nearer extends Silent {

        @Override
        @Island("wuhan")
        String report(String text);
    }

    interface BelowNearer extends Base, Nearer {}

    /** Declares what it inherits again, without a word about islands. */
    interface Redeclared extends Base {

        @Override
        String send(String text);

        @Override
        String report(String text);

        @Override
        String ship(String island, String text);
    }

    interface Store<K, V> {

        @Island("beijing")
        void put(V value);

        @Island("beijing")
        void putAll(V[] values);

        void move(@IslandKey K island, List<V> values);

        void plain(V value);
    }

    /** Fills the type parameters in and declares the methods again: there are bridge methods. */
    interface TextStore extends Store<String, CharSequence> {

        @Override
        void put(CharSequence value);

        @Override
        void putAll(CharSequence[] values);

        @Override
        void move(String island, List<CharSequence> values);
    }

    interface HalfStore<T> extends Store<String, T> {}

    /** Fills them in over two steps and declares nothing again. */
    interface NumberStore extends HalfStore<Integer> {}

    interface BelowTextStore extends TextStore {

        @Override
        @Island("wuhan")
        void put(CharSequence value);
    }

    @Island("beijing")
    interface Beijing {

        String send(String text);
    }

    interface BothIslands extends Base, Beijing {}

    @Island("wuhan")
    interface BothIslandsDecided extends Base, Beijing {}

    @Island("shanghai")
    interface AlsoShanghai {}

    interface SameIslandTwice extends Base, AlsoShanghai {}

    @Island(value = "shanghai", when = Island.When.HOME_ABSENT)
    interface HomeFirst {}

    interface SameIslandWithOtherWhen extends Base, HomeFirst {}

    interface ReportsInWuhan {

        @Island("wuhan")
        String report(String text);
    }

    interface BothMethods extends SilentMethods, ReportsInWuhan {}

    interface SilentMethods {

        @Island("beijing")
        String report(String text);
    }

    interface BothMethodsDecided extends SilentMethods, ReportsInWuhan {

        @Override
        @Island("shanghai")
        String report(String text);
    }

    interface ShipsByText {

        String ship(String island, @IslandKey String text);
    }

    interface BothKeys extends ShipsByIsland, ShipsByText {}

    interface ShipsByIsland {

        String ship(@IslandKey String island, String text);
    }

    interface TwoKeys {

        String ship(@IslandKey String island, @IslandKey String text);
    }

    interface OnlyStatic {

        @Island("shanghai")
        String send(String text);

        static String help() {
            return "";
        }
    }

    private static IntentResolver intents(Class<?> type) {
        return IntentResolver.of(
                type,
                new ServiceConfigURL("consumer", "127.0.0.1", 0, type.getName(), Map.of("interface", type.getName())));
    }

    private static Intent intent(Class<?> type, String method, Class<?>[] types, Object... arguments) {
        return intents(type)
                .resolveUnconfigured(
                        new RpcInvocation((ServiceModel) null, method, type.getName(), "", types, arguments));
    }

    private static Intent intent(Class<?> type, String method) {
        return intent(type, method, new Class<?>[] {String.class}, "tea");
    }

    private static Intent intent(IntentSource source, String island) {
        return Intent.of(source, island);
    }

    @ParameterizedTest
    @ValueSource(classes = {Base.class, Silent.class, SilentTwice.class, Redeclared.class, SameIslandTwice.class})
    void inheritsAll(Class<?> type) {
        Class<?>[] two = {String.class, String.class};

        assertThat(intent(type, "send")).isEqualTo(intent(IntentSource.INTERFACE, "shanghai"));
        assertThat(intent(type, "report")).isEqualTo(intent(IntentSource.METHOD, "beijing"));
        assertThat(intent(type, "ship", two, "310000", "tea")).isEqualTo(intent(IntentSource.KEY, "310000"));
        assertThat(intent(type, "ship", two, null, "tea").problem()).isEqualTo("argument 1 is null");
    }

    @ParameterizedTest
    @ValueSource(classes = {Nearer.class, BelowNearer.class})
    void takesTheNearest(Class<?> type) {
        assertThat(intent(type, "send")).isEqualTo(intent(IntentSource.INTERFACE, "wuhan"));
        assertThat(intent(type, "report")).isEqualTo(intent(IntentSource.METHOD, "wuhan"));
    }

    static Stream<Arguments> genericMethods() {
        return Stream.of(
                Arguments.of(TextStore.class, CharSequence.class, CharSequence[].class, "beijing"),
                Arguments.of(TextStore.class, Object.class, Object[].class, "beijing"),
                Arguments.of(NumberStore.class, Object.class, Object[].class, "beijing"),
                Arguments.of(NumberStore.class, Integer.class, Integer[].class, "beijing"),
                Arguments.of(BelowTextStore.class, CharSequence.class, CharSequence[].class, "wuhan"),
                Arguments.of(BelowTextStore.class, Object.class, Object[].class, "wuhan"));
    }

    @ParameterizedTest
    @MethodSource("genericMethods")
    void seesThroughTypeParametersAndBridgeMethods(Class<?> type, Class<?> value, Class<?> values, String island) {
        Intent put = intent(type, "put", new Class<?>[] {value}, new Object[] {null});
        Intent putAll = intent(type, "putAll", new Class<?>[] {values}, new Object[] {null});
        Intent move = intent(type, "move", new Class<?>[] {String.class, List.class}, "310000", List.of());
        Intent moveByBridge = intent(type, "move", new Class<?>[] {Object.class, List.class}, "310000", List.of());
        Intent plain = intent(type, "plain", new Class<?>[] {value}, new Object[] {null});

        assertThat(put).isEqualTo(intent(IntentSource.METHOD, island));
        assertThat(putAll).isEqualTo(intent(IntentSource.METHOD, "beijing"));
        assertThat(move).isEqualTo(intent(IntentSource.KEY, "310000"));
        assertThat(moveByBridge).isEqualTo(intent(IntentSource.KEY, "310000"));
        assertThat(plain).isSameAs(Intent.NONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"java.lang.CharSequence", "java.lang.Object"})
    void seesThroughGenericCalls(String parameter) {
        Class<?>[] types = {String.class, String[].class, Object[].class};
        Object[] arguments = {"put", new String[] {parameter}, new Object[] {"tea"}};
        RpcInvocation call =
                new RpcInvocation((ServiceModel) null, "$invoke", GenericService.class.getName(), "", types, arguments);

        assertThat(intents(TextStore.class).resolveUnconfigured(call))
                .isEqualTo(intent(IntentSource.METHOD, "beijing"));
    }

    static Stream<Arguments> contradictions() {
        String base = Base.class.getName();
        return Stream.of(
                Arguments.of(
                        BothIslands.class,
                        "",
                        "it inherits @Island(\"shanghai\") from " + base + " and @Island(\"beijing\") from "
                                + Beijing.class.getName() + ". Write @Island on " + BothIslands.class.getName()),
                Arguments.of(
                        SameIslandWithOtherWhen.class,
                        "",
                        "it inherits @Island(\"shanghai\") from " + base
                                + " and @Island(\"shanghai\") with when = HOME_ABSENT from "
                                + HomeFirst.class.getName()),
                Arguments.of(BothMethods.class, "#report", "Declare the method in " + BothMethods.class.getName()),
                Arguments.of(BothKeys.class, "#ship", "@IslandKey at argument"),
                Arguments.of(TwoKeys.class, "#ship", "@IslandKey is on arguments 1 and 2"));
    }

    @ParameterizedTest
    @MethodSource("contradictions")
    void refusesWhatContradicts(Class<?> type, String method, String sentence) {
        assertThatThrownBy(() -> intents(type))
                .isInstanceOf(HighwayConfigurationException.class)
                .hasMessageStartingWith(type.getName() + method + ": ")
                .hasMessageContaining(sentence);
    }

    @Test
    void letsTheInterfaceDecide_whereItInheritsAContradiction() {
        assertThat(intent(BothIslandsDecided.class, "send")).isEqualTo(intent(IntentSource.INTERFACE, "wuhan"));
        assertThat(intent(BothMethodsDecided.class, "report")).isEqualTo(intent(IntentSource.METHOD, "shanghai"));
    }

    @Test
    void countsInheritedMethods_whereAllMustHaveADestination() {
        assertThat(MethodIntents.read(OnlyStatic.class).isComplete()).isTrue();
        assertThat(MethodIntents.read(TextStore.class).isComplete()).isFalse();
        assertThat(MethodIntents.read(BothMethodsDecided.class).isComplete()).isTrue();
        assertThat(MethodIntents.read(Beijing.class)).isNull();
    }
}
