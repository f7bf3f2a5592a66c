// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ApiSignaturesTest {

    private static final String TYPE = ApiSignaturesTest.class.getName();

    /** Two kinds of members that others see, and one that they do not. */
    public abstract static class Service implements Runnable {

        public static final int MOST = 3;

        protected Service() {}

        public abstract <T extends Comparable<T>> List<T> sorted(Class<T> of, String... values) throws IOException;

        void hidden() {}
    }

    /** Nobody extends it. */
    public static final class Sealed {

        private Sealed() {}

        protected void hidden() {}
    }

    /** Only its factory makes one. */
    public record Value(int number) {}

    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Marker {

        String value() default "x";
    }

    @Test
    void hasWhatOthersSee() {
        assertThat(ApiSignatures.of(Service.class))
                .containsExactly(
                        TYPE + ".Service: protected new()",
                        TYPE + ".Service: public abstract <T extends Comparable<T>> java.util.List<T> sorted(Class<T>,"
                                + " String[]) throws java.io.IOException",
                        TYPE + ".Service: public static final int MOST = 3",
                        TYPE + ".Service: type public abstract static class implements Runnable");
        assertThat(ApiSignatures.of(Sealed.class)).containsExactly(TYPE + ".Sealed: type public static final class");
        assertThat(ApiSignatures.of(Value.class))
                .containsExactly(
                        TYPE + ".Value: public int number()",
                        TYPE + ".Value: type public static final record extends Record");
        assertThat(ApiSignatures.of(Marker.class))
                .contains(
                        TYPE + ".Marker: public abstract String value() default \"x\"",
                        TYPE + ".Marker: type retention RUNTIME",
                        TYPE + ".Marker: type target METHOD");
    }

    private static List<String> incompatible(List<String> before, List<String> now) {
        return List.copyOf(ApiSignatures.incompatible(new TreeSet<>(before), new TreeSet<>(now), Set.of("a.b.Ours")));
    }

    @Test
    void isIncompatible_whenALineIsGone() {
        List<String> before = List.of(
                "a.b.C: type public final class",
                "a.b.C.D: type public enum",
                "a.b.C: public void run(String)",
                "a.b.C: public static final int X = 1",
                "a.b.C: public new()");

        assertThat(incompatible(before, before)).isEmpty();
        assertThat(incompatible(before, List.of("a.b.C: public void run(Object)")))
                .containsExactly("C", "C#X", "C#new", "C#run", "C.D");
    }

    @Test
    void isIncompatible_whenImplementationsLackANewMethod() {
        List<String> before = List.of("a.b.C: type public interface", "a.b.Ours: type public interface");
        List<String> now = Stream.concat(
                        before.stream(),
                        Stream.of(
                                "a.b.C: public abstract void on(String)",
                                "a.b.C: public abstract int at() default 3",
                                "a.b.C: public default void off()",
                                "a.b.Ours: public abstract void set(String)",
                                "a.b.New: public abstract void on(String)"))
                .toList();

        assertThat(incompatible(before, now)).containsExactly("C#on");
    }
}
