// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.cookbook

import io.highway.sdk.Highway
import io.highway.sdk.HighwayContext
import java.io.IOException
import java.util.concurrent.Callable
import java.util.concurrent.Executors

interface Sms {
    fun send(text: String): String

    fun find(text: String): String?
}

/** Answers with the route of its thread. */
class Echo : Sms {
    override fun send(text: String): String = "$text to ${HighwayContext.capture().route()}"

    override fun find(text: String): String? = null

    fun read(text: String): String = if (text.isEmpty()) throw IOException("empty") else send(text)
}

/** The API as Kotlin code writes it, without type arguments. */
fun answers(): List<String> {
    val sms = Echo()
    val answers = mutableListOf<String>()

    val called: String = Highway.to("shanghai").call { sms.send("call") }
    answers.add(called)
    val nothing: String? = Highway.to("shanghai").call { sms.find("nothing") }
    answers.add("nothing is $nothing")
    Highway.to("shanghai").run { answers.add(sms.send("run")) }
    val home = Highway.home().call { sms.read("home") }
    answers.add(home)
    val nested = Highway.to("beijing").call {
        val inner = Highway.to("shanghai").call { sms.send("inner") }
        "$inner, ${sms.send("outer")}"
    }
    answers.add(nested)
    Highway.to("shanghai").open().use { answers.add(sms.send("scope")) }
    answers.add(Highway.to("shanghai").bind(Sms::class.java, sms).send("proxy"))

    val pool = Executors.newSingleThreadScheduledExecutor()
    try {
        val task = Highway.to("shanghai").call { Highway.wrapCallable { sms.send("task") } }
        answers.add(pool.submit(task).get())
        val carrying = Highway.wrapExecutor(pool)
        val submitted = Highway.to("shanghai").call { carrying.submit(Callable { sms.send("pool") }) }
        answers.add(submitted.get())
    } finally {
        pool.shutdown()
    }
    return answers
}
