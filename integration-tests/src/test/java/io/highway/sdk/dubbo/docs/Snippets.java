// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.docs;

import io.highway.sdk.Caller;
import io.highway.sdk.Highway;
import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.Island;
import io.highway.sdk.IslandKey;
import io.highway.sdk.dubbo.HighwayCustomizer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import org.apache.dubbo.config.annotation.DubboReference;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.slf4j.Logger;

/** Every Java snippet of the documentation, compiled; {@code DocsTest} compares them. */
@SuppressWarnings({"unused", "try"})
final class Snippets {

    private Snippets() {}

    @Island("shanghai") // every call of the interface, unless overridden below
    interface SmsService {

        String send(String text);

        @Island("beijing")
        String sendToCapital(String text);

        String sendTo(@IslandKey String province, String text);
    }

    /** A class with references. */
    static final class Beside {

        @DubboReference(parameters = {"highway-island", "shanghai"})
        SmsService sms;
    }

    /** A class with references, as the starter reads them. */
    static final class WithStarter {

        @DubboReference
        @Island("shanghai")
        SmsService sms; // every call of it goes to shanghai; home needs no provider
    }

    static void customize(ApplicationModel applicationModel, Logger log) {
        HighwayCustomizer customizer = setup -> setup.set("highway.islands.shanghai.retries", "1")
                .islandResolver(key -> key.startsWith("sh-") ? "shanghai" : null) // null: as configured
                .outcomeListener((outcome, invocation) -> log.info("{} {}", outcome.call(), outcome.outcome()));
        applicationModel.getBeanFactory().registerBean(customizer);
    }

    static void sayWhere(SmsService sms, String text) {
        RpcContext.getClientAttachment().setAttachment(HighwayAttachments.ISLAND, "shanghai"); // the next call only
        sms.send(text);

        Highway.to("shanghai").call(() -> sms.send(text)); // every call that this thread starts inside
        SmsService inShanghai = Highway.to("shanghai").bind(SmsService.class, sms); // a proxy that always goes there
        Highway.home().run(() -> sms.send(text)); // stay home, regardless of annotations
    }

    static void scopes(SmsService sms, String text, ExecutorService executor) {
        Highway.to("shanghai").run(() -> executor.submit(Highway.wrap(() -> sms.send(text)))); // goes to shanghai, too
    }

    static String caller() {
        return Highway.caller().map(Caller::island).orElse("home");
    }

    static CompletableFuture<String> async(ExecutorService executor, SmsService sms, String text) {
        return CompletableFuture.supplyAsync(() -> sms.send(text), Highway.wrapExecutor(executor));
    }
}
