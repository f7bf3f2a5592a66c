// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.StringValue;
import io.highway.sdk.Island;
import io.highway.sdk.dubbo.TunnelKind;
import java.io.Serializable;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.dubbo.common.Version;
import org.apache.dubbo.common.stream.StreamObserver;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;

class IslandContractTest {

    private static final boolean IS_OLD_LINE = Version.getVersion().startsWith("3.2.");

    private static final String ALL = by("hessian2", "fastjson2");
    private static final String HESSIAN = by("hessian2");
    private static final String FASTJSON = by("fastjson2");

    private static String by(String... serializations) {
        return Stream.of(TunnelKind.values())
                .flatMap(kind -> Stream.of(serializations).map(one -> kind + "/" + one))
                .collect(Collectors.joining(" and ", "by ", ", "));
    }

    /** The parent of a healthy interface, which says what its type is. */
    interface Store<T> {

        T load(String id) throws NotFound;

        void save(List<T> all);
    }

    interface Healthy extends Store<Item> {

        Map<String, List<Item>> byName(Set<State> states, int count, boolean isFull, long... ids);

        CompletableFuture<Item[]> later(LocalDate day, BigDecimal price, byte[] bytes, Object any);

        void none();

        default Body body(Body body) {
            return body;
        }

        Final finalField(Final value);

        StreamObserver<Item> stream(StreamObserver<Item> answers);
    }

    enum State {
        NEW,
        PAID
    }

    /** An enum whose constants have classes of their own. */
    enum Body {
        ONE {
            @Override
            int number() {
                return 1;
            }
        };

        abstract int number();
    }

    static class Item implements Serializable {

        private static final long serialVersionUID = 1;
        String name;
        Long price;
        State state;
        Item parent;
        Map<State, BigDecimal> prices;
        Instant changed;
        int[] numbers;
    }

    private static Item item() {
        Item item = new Item();
        item.name = "a";
        item.price = 7L;
        item.state = State.PAID;
        item.parent = new Item();
        item.prices = new HashMap<>(Map.of(State.NEW, new BigDecimal("1.50"), State.PAID, BigDecimal.ONE));
        item.changed = Instant.ofEpochSecond(7, 123_456_789);
        item.numbers = new int[] {1, 2};
        return item;
    }

    static class Final implements Serializable {

        private static final long serialVersionUID = 1;
        private final String name;

        Final(String name) {
            this.name = name;
        }
    }

    public static class NotFound extends Exception {

        private static final long serialVersionUID = 1;

        public NotFound(String message, Throwable cause) {
            super(message, cause);
        }
    }

    @Test
    void passes() {
        IslandContract.verify(
                Healthy.class,
                item(),
                new Final("given"),
                LocalDate.of(2026, 2, 28),
                new BigDecimal("1.50"),
                new NotFound("given", new IllegalStateException("cause")));
    }

    static class Order implements Serializable {

        private static final long serialVersionUID = 1;
        List<Address> addresses;
    }

    static class Address {

        String street;
    }

    interface Orders {

        void send(String text, Order order);
    }

    @Test
    void namesWhatIsNotSerializable_byClassAndField() {
        Order order = new Order();
        order.addresses = new ArrayList<>(List.of(new Address()));

        assertThat(failure(Orders.class, order))
                .isEqualTo(Orders.class.getName() + ":\nsend, argument 2, " + ALL + Order.class.getName()
                        + ".addresses[0](" + Address.class.getName()
                        + "): not serializable; implement java.io.Serializable");
    }

    interface Constructors {

        NeedsArgument build();
    }

    static class NeedsArgument implements Serializable {

        private static final long serialVersionUID = 1;
        String name;

        NeedsArgument(String name) {
            this.name = name.trim();
        }
    }

    @Test
    void namesAMissingConstructor_whereTheLineNeedsOne() {
        NeedsArgument built = new NeedsArgument("text");
        if (IS_OLD_LINE) {
            assertThat(failure(Constructors.class, built))
                    .contains("build, return value, " + HESSIAN + NeedsArgument.class.getName()
                            + ": missing default constructor; add one without parameters");
        } else {
            IslandContract.verify(Constructors.class, built);
        }
    }

    interface Exceptions {

        void pay() throws Unpaid;
    }

    static class Unpaid extends Exception {

        private static final long serialVersionUID = 1;
        final int code;

        Unpaid(int code) {
            super("code " + code);
            this.code = code;
        }
    }

    @Test
    void namesAnExceptionWithoutAUsableConstructor() {
        assertThat(failure(Exceptions.class, new Unpaid(7)))
                .contains("pay, exception, " + FASTJSON + Unpaid.class.getName()
                        + ": missing usable constructor; make it a public class");
    }

    record Point(int x) implements Serializable {}

    interface Records {

        void draw(Point point);
    }

    @Test
    void namesARecord_whereTheLineCannotReadIt() {
        Point point = new Point(7);
        if (IS_OLD_LINE) {
            assertThat(failure(Records.class, point))
                    .contains("draw, argument 1, " + HESSIAN + Point.class.getName() + ": a record, which");
        } else {
            IslandContract.verify(Records.class, point);
        }
    }

    interface Generics {

        List<Short> numbers();
    }

    @Test
    void namesAnElementOfAnotherType() {
        assertThat(failure(Generics.class))
                .contains("numbers, return value, " + HESSIAN
                        + "java.util.ArrayList[0]: other type: java.lang.Short arrives as java.lang.Integer");
    }

    interface Anything {

        void put(Object any);
    }

    @Test
    void namesAClassThatDubboDoesNotTrust() throws Exception {
        String failure = failure(Anything.class, new javax.management.ObjectName("a:b=c"));

        assertThat(failure)
                .contains("put, argument 1, " + HESSIAN + "javax.management.ObjectName: other type:")
                .contains("arrives as java.util.HashMap; use another type, or name it in the interface or in security/")
                .contains(FASTJSON + "javax.management.ObjectName: not trusted by Dubbo; name it in the interface");
    }

    interface Optionals {

        Optional<String> find(Instant at);
    }

    @Test
    void namesAnOptional() {
        Object[] samples = {Optional.of("text"), Instant.ofEpochSecond(7)};

        assertThat(failure(Optionals.class, samples))
                .isEqualTo(Optionals.class.getName() + ":\nfind, return value, " + HESSIAN
                        + "java.util.Optional: not serializable; use another type");
        IslandContract.verifyOnly("fastjson2", Optionals.class, samples);
    }

    @Test
    void checksNull_ifItIsASample() {
        assertThat(failure(Optionals.class, null, Optional.of("text"), Instant.ofEpochSecond(7)))
                .contains(
                        "find, argument 1, " + FASTJSON + "null: java.lang.UnsupportedOperationException; send no null")
                .contains("find, return value, by triple/fastjson2, null: lost value: null arrives as Optional.empty");
    }

    static class Cached implements Serializable {

        private static final long serialVersionUID = 1;
        String name;
        transient String shown;

        Cached(String name) {
            this.name = name;
            this.shown = String.valueOf(name) + "!";
        }
    }

    interface Transients {

        void show(Cached cached);
    }

    @Test
    void namesATransientField_onlyIfItsValueIsLost() {
        Cached empty = new Cached("a");
        empty.shown = null;

        assertThat(failure(Transients.class, new Cached("a"))).contains(".shown: lost value: the field is transient");
        IslandContract.verify(Transients.class, empty);
    }

    static class Weight implements Serializable {

        private static final long serialVersionUID = 1;
        float kilos;
    }

    interface Weights {

        void weigh(List<Weight> all);
    }

    /** hessian-lite of the newer line would write over what follows the field. */
    @Test
    void namesAFloatField_whereTheLineLosesIt() {
        if (IS_OLD_LINE) {
            IslandContract.verify(Weights.class, new Weight());
        } else {
            assertThat(failure(Weights.class, new Weight()))
                    .contains("weigh, argument 1, " + HESSIAN + "java.util.ArrayList[0](" + Weight.class.getName()
                            + ").kilos: lost value, with what follows it in memory: a field of type float; use double");
        }
    }

    interface Generated {

        StringValue say(StringValue text);
    }

    @Test
    void checksGeneratedClasses_byTheMessagesOfTriple() {
        assertThat(failure(Generated.class, StringValue.of("text")))
                .contains("say, argument 1, by dubbo/hessian2 and http/hessian2, ")
                .doesNotContain("triple");
    }

    interface Listeners {

        void listen(Runnable listener);
    }

    @Test
    void namesATypeWithoutAValue() {
        assertThat(failure(Listeners.class)).endsWith("java.lang.Runnable, not checked; pass a value of it to verify");
    }

    @Test
    void namesAnAssertionThatDubboDoesNotTrust() {
        String failure = failure(Anything.class, "text", new AssertionFailedError("given"));

        assertThat(failure.lines().skip(1)).hasSize(IS_OLD_LINE ? 2 : 1).allMatch(line -> line.contains("FailedError"));
    }

    @Test
    void comparesEachPart() {
        Item sent = new Item();
        sent.name = "a";
        sent.prices = Map.of(State.NEW, new BigDecimal("1.50"), State.PAID, BigDecimal.ONE);
        sent.numbers = new int[] {1, 2};
        Item arrived = new Item();
        arrived.price = 7L;
        arrived.prices = Map.of(State.NEW, new BigDecimal("1.5"), State.PAID, BigDecimal.ONE);
        arrived.numbers = new int[] {1};

        assertThat(Differences.between(sent, sent)).isEmpty();
        assertThat(Differences.between(sent, arrived))
                .extracting(text -> text.substring(text.indexOf('.', text.indexOf('$')), text.indexOf(';')))
                .containsExactly(
                        ".name: lost value: a arrives as null",
                        ".price: lost value: null arrives as 7",
                        ".prices[" + List.copyOf(sent.prices.keySet()).indexOf(State.NEW)
                                + "].value: lost value: 1.50 arrives as 1.5",
                        ".numbers[1]: lost value: 2 arrives as null");
        assertThat(Differences.between(Set.of(1L, 2L), Set.of(2L, 1L))).isEmpty();
        assertThat(Differences.between(Arrays.asList(1, null), List.of(1))).isEmpty();
        assertThat(Differences.between(State.NEW, State.PAID)).hasSize(1);
    }

    private static String failure(Class<?> service, Object... samples) {
        return catchThrowableOfType(AssertionError.class, () -> IslandContract.verify(service, samples))
                .getMessage();
    }

    @Island("shanghai")
    interface OfAnIsland {

        void send(Item item);
    }

    /** No island is called. */
    @Test
    void checksAnInterface_whoseIslandIsNotConfigured() {
        IslandContract.verify(OfAnIsland.class, item());
    }

    interface Crud<T> {

        void save(T one);
    }

    interface OrderCrud extends Crud<Order> {}

    @Test
    void wantsAValue_ofATypeVariable() {
        assertThat(failure(OrderCrud.class)).contains("java.lang.Object, not checked; pass a value of it to verify");
        Order order = new Order();
        order.addresses = List.of(new Address());
        assertThat(failure(OrderCrud.class, order)).contains("save, argument 1", "not serializable");
    }
}
