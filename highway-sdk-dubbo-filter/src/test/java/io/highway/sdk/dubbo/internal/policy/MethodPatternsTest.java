// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MethodPatternsTest {

    @ParameterizedTest
    @CsvSource({
        "query, true",
        "query*, true",
        "que*, true",
        "*ery, true",
        "q*y, true",
        "*, true",
        "Query, false",
        "quer, false",
        "queryAll, false",
        "com.foo.Sms, false",
        "com.foo.Sms#query, true",
        "com.foo.Sms#que*, true",
        "com.foo.Sms#*, true",
        "com.foo.*#query, true",
        "*#query, true",
        "*.Sms#*, true",
        "com.foo.Mms#query, false",
        "com.foo.Mms#*, false",
        "com.foo.Sms#send, false",
        "com.foo#query, false"
    })
    void fitsComFooSmsQuery(String pattern, boolean fits) {
        MethodPatterns patterns = new MethodPatterns(List.of(pattern));

        assertThat(patterns.matches("com.foo.Sms", "query")).isEqualTo(fits);
    }

    @Test
    void namesTheFirstPatternThatFits() {
        MethodPatterns patterns = new MethodPatterns(List.of("send", "com.foo.Sms#que*", "query*"));

        assertThat(patterns.match("com.foo.Sms", "queryAll")).isEqualTo("com.foo.Sms#que*");
        assertThat(patterns.match("com.foo.Mms", "queryAll")).isEqualTo("query*");
        assertThat(patterns.match("com.foo.Mms", "delete")).isEmpty();
        assertThat(patterns.matches("com.foo.Mms", "delete")).isFalse();
    }

    @Test
    void fitsNothing_whenEmpty() {
        assertThat(MethodPatterns.NONE.matches("com.foo.Sms", "query")).isFalse();
        assertThat(MethodPatterns.NONE.match("com.foo.Sms", "query")).isEmpty();
    }

    @Test
    void keepsItsPatterns_whenTheListChanges() {
        List<String> written = new ArrayList<>(List.of("query"));
        MethodPatterns patterns = new MethodPatterns(written);

        written.add("*");

        assertThat(patterns.matches("com.foo.Sms", "send")).isFalse();
    }
}
