// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.cookbook

import io.highway.sdk.Highway

class KotlinCalls(private val sms: SmsService) {

    private val shanghai = Highway.to("shanghai").bind(SmsService::class.java, sms)

    fun send(text: String): String = shanghai.send(text)

    fun sendAll(island: String, texts: List<String>): List<String> =
        Highway.to(island).call { texts.map { text -> sms.send(text) } }
}
