// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.elsewhere;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.highway.sdk.Highway;
import io.highway.sdk.HighwayContext;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

/** Interfaces that the SDK's own package does not see. */
class BindHiddenInterfaceTest {

    interface Hidden {

        String point(String item);
    }

    /** Public, with a method of an interface that is not. */
    public interface Shown extends Hidden {

        String pointTwice(String item);
    }

    private interface Private {

        String point(String item);
    }

    private static String here(String item) {
        return item + " to " + HighwayContext.capture().route();
    }

    @Test
    void goesToItsRoute_whenTheInterfaceIsNotPublic() {
        Hidden hidden = Highway.to("shanghai").bind(Hidden.class, BindHiddenInterfaceTest::here);
        Private secret = Highway.to("shanghai").bind(Private.class, BindHiddenInterfaceTest::here);

        assertThat(hidden.point("tea")).isEqualTo("tea to shanghai");
        assertThat(secret.point("tea")).isEqualTo("tea to shanghai");
    }

    @Test
    void goesToItsRoute_whenAnInheritedInterfaceIsNotPublic() {
        Shown shown = Highway.to("shanghai").bind(Shown.class, new Shown() {
            @Override
            public String point(String item) {
                return here(item);
            }

            @Override
            public String pointTwice(String item) {
                return here(item) + " " + here(item);
            }
        });

        assertThat(shown.point("tea")).isEqualTo("tea to shanghai");
        assertThat(shown.pointTwice("tea")).isEqualTo("tea to shanghai tea to shanghai");
    }

    @Test
    void refusesAnInterfaceThatItsModuleHides() throws ClassNotFoundException {
        Class<?> hidden = Class.forName("jdk.internal.misc.Signal$Handler");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> bind(hidden))
                .withMessageContaining(hidden.getName())
                .withMessageContaining("java.base")
                .withMessageContaining("export the package, or open it");
    }

    private static <T> T bind(Class<T> type) {
        InvocationHandler nothing = (proxy, method, arguments) -> null;
        Object service = Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, nothing);
        return Highway.to("shanghai").bind(type, type.cast(service));
    }
}
