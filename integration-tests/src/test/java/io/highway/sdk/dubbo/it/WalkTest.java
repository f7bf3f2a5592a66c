// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.TunnelKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.dubbo.common.utils.SerializeCheckStatus;
import org.apache.dubbo.common.utils.SerializeSecurityManager;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A newcomer can follow a call: how many packages of the SDK it is in on its way to the bytes of its request, and how often
 * it comes back to one that it had left. Counts the methods that have not returned when the argument is serialised; what
 * they asked before that and got an answer from is not on the way.
 */
@Tag("network")
class WalkTest {

    private static final String INTERNAL = "io.highway.sdk.dubbo.internal.";

    private static final AtomicReference<StackTraceElement[]> STACK = new AtomicReference<>();

    /** Notes who serialises it. */
    static final class Traced extends Shop.Order {

        private static final long serialVersionUID = 1L;

        Object writeReplace() {
            STACK.set(new Throwable().getStackTrace());
            return new Shop.Order("tea", null);
        }
    }

    @ParameterizedTest
    @EnumSource
    void passesFewPackages_andComesBackSeldom(TunnelKind tunnel) {
        try (Star star = new Star();
                TestApplication consumer = star.consumer(star.properties(tunnel))) {
            Shop shop = consumer.reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo))
                    .get();
            Highway.to("shanghai").run(() -> shop.sell("tea")); // Dubbo knows what it serialises with
            FrameworkModel.getAllInstances().forEach(WalkTest::trustEveryClass);
            Highway.to("shanghai").run(() -> shop.order(new Traced()));
        }

        List<String> stays = stays(STACK.get());
        Set<String> seen = new HashSet<>();
        long returns = stays.stream().filter(stay -> !seen.add(stay)).count();
        System.out.println("walk over " + tunnel + ": " + stays.size() + " stays, " + returns + " returns: " + stays);

        assertThat(stays).hasSizeBetween(3, 15);
        assertThat(returns).isLessThanOrEqualTo(6);
    }

    private static void trustEveryClass(FrameworkModel framework) {
        framework
                .getBeanFactory()
                .getOrRegisterBean(SerializeSecurityManager.class)
                .setCheckStatus(SerializeCheckStatus.DISABLE);
    }

    /** The packages from the outermost on, one name for frames in a row. */
    private static List<String> stays(StackTraceElement[] stack) {
        List<StackTraceElement> frames = new ArrayList<>(List.of(stack));
        Collections.reverse(frames);
        List<String> stays = new ArrayList<>();
        for (StackTraceElement frame : frames) {
            String type = frame.getClassName();
            if (type.startsWith(INTERNAL)) {
                String place = type.substring(INTERNAL.length(), type.lastIndexOf('.'));
                if (stays.isEmpty() || !stays.get(stays.size() - 1).equals(place)) {
                    stays.add(place);
                }
            }
        }
        return stays;
    }
}
