// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.Reason;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestClassOrder;

@HighwayTest(islands = "shanghai")
class NestedTest {

    @Nested
    @HighwayTest(home = "zhejiang", islands = "beijing")
    class Own {

        @Test
        void usesItsIslands_notThoseAround(Islands islands) {
            assertThat(islands.home().name()).isEqualTo("zhejiang");
            assertThat(islands.at("beijing").calls()).isEmpty();
        }

        @Nested
        class Inner {

            @Test
            void usesTheNextIslandsAround(Islands islands) {
                assertThat(islands.home().name()).isEqualTo("zhejiang");
            }
        }
    }

    /** What is served before the first method of a nested class is of that class. */
    @Nested
    @TestClassOrder(ClassOrderer.ClassName.class)
    class Served {

        @Nested
        class A {

            @BeforeAll
            static void serve(Islands islands) {
                islands.at("shanghai")
                        .serves(SmsService.class, text -> "a")
                        .onCall(2)
                        .refuses(Reason.BUSY);
            }

            @RepeatedTest(2)
            void servesInEachMethod_andFails(SmsService sms, Islands islands) {
                assertThat(sms.send("")).isEqualTo("a");
                assertThat(FaultsTest.failure(sms).reason()).isEqualTo(Reason.BUSY);
                assertThat(islands.at("shanghai").calls()).hasSize(2);
            }
        }

        @Nested
        class B {

            @Test
            void doesNotServe(SmsService sms) {
                assertThat(FaultsTest.failure(sms).reason()).isEqualTo(Reason.NO_SUCH_SERVICE);
            }
        }

        @Nested
        class C {

            @BeforeAll
            static void serve(Islands islands, SmsService sms) {
                islands.at("shanghai").serves(SmsService.class, text -> "c");
                assertThat(sms.send("")).isEqualTo("c");
            }

            /** The first method sees what was called before it, such as at the start of an application. */
            @Test
            void servesItsOwn(SmsService sms, Islands islands) {
                assertThat(sms.send("")).isEqualTo("c");
                assertThat(islands.at("shanghai").calls()).hasSize(2);
            }
        }
    }

    @Test
    void usesItsIslands(Islands islands) {
        assertThat(islands.home().name()).isEqualTo("home");
    }
}
