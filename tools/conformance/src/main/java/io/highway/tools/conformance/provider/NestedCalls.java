// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.provider;

import io.highway.tools.conformance.service.Desk;
import io.highway.tools.conformance.service.Grouped;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.rpc.RpcContext;

/** Calls that a service makes itself, as plain Dubbo; the service's own call ends as they do. Thread-safe. */
final class NestedCalls {

    private static final int TIMEOUT_MILLIS = 5_000;

    private final Map<String, Object> references = new ConcurrentHashMap<>();

    /**
     * Makes one: {@code unrouted} asks a gateway for an island that no gateway knows; {@code refused} passes the
     * headers of the service's own call on, if nothing removed them; {@code missing} asks for a service that the
     * provider does not have. With {@code -later} behind it, the future of the call is the service's answer.
     *
     * @param url the provider or gateway
     */
    CompletableFuture<String> call(String id, String kind, String url) {
        String nestedId = "nested-" + id;
        if (kind.startsWith("unrouted")) {
            RpcContext.getClientAttachment().setAttachment("highway-island", "atlantis");
        }
        if (kind.startsWith("missing")) {
            return CompletableFuture.completedFuture(refer(Grouped.class, url).whoAreYou(nestedId));
        }
        Desk desk = refer(Desk.class, url);
        CompletableFuture<String> answer = desk.claim(nestedId, "answer", "nested");
        return kind.endsWith("-later") ? answer : CompletableFuture.completedFuture(answer.join());
    }

    private <S> S refer(Class<S> type, String url) {
        return type.cast(references.computeIfAbsent(type.getName() + " " + url, any -> {
            ReferenceConfig<S> reference = new ReferenceConfig<>();
            reference.setInterface(type);
            reference.setUrl(url);
            reference.setRegistry(new RegistryConfig("N/A"));
            reference.setCheck(false);
            reference.setRetries(0);
            reference.setTimeout(TIMEOUT_MILLIS);
            return reference.get();
        }));
    }
}
