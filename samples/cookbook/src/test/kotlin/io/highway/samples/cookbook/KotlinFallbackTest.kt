// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.cookbook

import io.highway.sdk.dubbo.HighwayException
import io.highway.sdk.test.HighwayTest
import io.highway.sdk.test.Islands
import java.util.concurrent.CompletableFuture
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows

/** A service in an island of a test. */
class SmsIn(private val island: String) : SmsService {
    override fun send(text: String) = "$text in $island"

    override fun sendAsync(text: String): CompletableFuture<String> = CompletableFuture.completedFuture(send(text))

    override fun sendTo(area: String, text: String) = send(text)
}

/** Compiled and run up to Java 24. */
@HighwayTest(home = "zhejiang", islands = ["shanghai"])
class KotlinFallbackTest {
    @Test
    fun homeServesWhatWasNotSent(islands: Islands, sms: SmsService) {
        islands.home().serves(SmsService::class.java, SmsIn("zhejiang"))
        islands.at("shanghai").serves(SmsService::class.java, SmsIn("shanghai")).isDown()

        assertThat(OwnFallback(sms).send("shanghai", "hello")).isEqualTo("hello in zhejiang")
    }

    @Test
    fun homeServesNothingThatMayHaveRun(islands: Islands, sms: SmsService) {
        islands.at("shanghai").serves(SmsService::class.java, SmsIn("shanghai")).losesAnswers()

        val failure = assertThrows<HighwayException> { OwnFallback(sms).send("shanghai", "hello") }

        assertThat(failure.mayHaveRun()).isTrue()
        assertThat(islands.home().calls()).isEmpty()
    }
}
