// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.provider;

import io.highway.tools.conformance.service.BrokenException;
import io.highway.tools.conformance.service.DeclinedException;
import io.highway.tools.conformance.service.Desk;
import io.highway.tools.conformance.service.Noise;
import io.highway.tools.conformance.service.Parcel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.StatusRpcException;
import org.apache.dubbo.rpc.TriRpcStatus;
import org.jspecify.annotations.Nullable;

final class DeskProvider implements Desk {

    private static final long LATER_MILLIS = 20;
    private static final String NESTED = "nested-";

    private final String island;
    private final Journal journal;
    private final Executor later = CompletableFuture.delayedExecutor(LATER_MILLIS, TimeUnit.MILLISECONDS);
    private final ExecutorService answering =
            Executors.newSingleThreadExecutor(new DefaultThreadFactory("answer-together", true));
    private final NestedCalls nested = new NestedCalls();
    private final Map<String, Gathering> gatherings = new ConcurrentHashMap<>();

    DeskProvider(String island, Journal journal) {
        this.island = island;
        this.journal = journal;
    }

    @Override
    public String answer(String id, String text) {
        journal.executed(id);
        return island + " " + text;
    }

    @Override
    public CompletableFuture<String> answerLater(String id, String text) {
        journal.executed(id);
        return CompletableFuture.supplyAsync(() -> island + " " + text, later);
    }

    @Override
    public void note(String id, String text) {
        journal.executed(id);
        journal.happened(id, text);
    }

    @Override
    public @Nullable String orNull(String id, @Nullable String text, @Nullable Parcel parcel) {
        journal.executed(id);
        return text == null && parcel == null ? null : text + "/" + parcel;
    }

    @Override
    public @Nullable Parcel hand(String id, @Nullable Parcel parcel) {
        journal.executed(id);
        return parcel;
    }

    @Override
    public String decline(String id, String text, int code) throws DeclinedException {
        journal.executed(id);
        throw new DeclinedException(text, code, new Parcel(text, code, List.of(island), null));
    }

    @Override
    public String breakDown(String id, String text, int code) {
        journal.executed(id);
        throw new BrokenException(text, code, new Parcel(text, code, List.of(island), null));
    }

    @Override
    public long take(String id, byte[] body) {
        journal.executed(id);
        return Noise.crc(body);
    }

    @Override
    public byte[] give(String id, int bytes) {
        journal.executed(id);
        return Noise.bytes(bytes);
    }

    @Override
    public CompletableFuture<Integer> together(String id, int number, int count) {
        journal.executed(id);
        return gatherings
                .computeIfAbsent(id, any -> new Gathering(count, answering))
                .join(number);
    }

    @Override
    public String slow(String id, String text, int millis) {
        journal.executed(id);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
        journal.happened(id, "answered");
        return island + " " + text;
    }

    @Override
    public CompletableFuture<String> answerIn(String id, String text, int millis) {
        journal.executed(id);
        return CompletableFuture.supplyAsync(
                () -> island + " " + text, CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS));
    }

    @Override
    public String attach(String id, int count) {
        journal.executed(id);
        for (int number = 0; number < count; number++) {
            RpcContext.getServerContext().setAttachment("answer-" + number, "value-" + number);
        }
        return island + " " + count;
    }

    @Override
    public String attachThese(String id, Map<String, String> attachments) {
        journal.executed(id);
        attachments.forEach(RpcContext.getServerContext()::setAttachment);
        return island + " " + attachments.size();
    }

    @Override
    public Map<String, String> attachments(String id) {
        journal.executed(id);
        Map<String, String> seen = new HashMap<>();
        RpcContext.getServerAttachment().getObjectAttachments().forEach((key, value) -> {
            if (value instanceof String text) {
                seen.put(key, text);
            }
        });
        return seen;
    }

    @Override
    public CompletableFuture<String> claim(String id, String how, String text) {
        journal.executed(id);
        for (String name :
                how.startsWith(NESTED) ? List.<String>of() : List.of("highway-not-forwarded", "highway-refused")) {
            RpcContext.getServerContext().setAttachment(name, text);
        }
        if (how.startsWith(NESTED)) {
            return nested.call(id, how.substring(NESTED.length()), text);
        } else if (how.startsWith("rpc-")) {
            throw new RpcException(Integer.parseInt(how.substring(4)), text);
        } else if (how.startsWith("status-")) {
            TriRpcStatus.Code code = TriRpcStatus.Code.valueOf(how.substring(7));
            throw new StatusRpcException(TriRpcStatus.fromCode(code).withDescription(text));
        }
        return switch (how) {
            case "answer" -> CompletableFuture.completedFuture(text);
            case "later" ->
                CompletableFuture.supplyAsync(
                        () -> {
                            throw new RpcException(RpcException.NETWORK_EXCEPTION, text);
                        },
                        later);
            default -> throw new IllegalStateException(text);
        };
    }

    @Override
    public List<Parcel> handAll(String id, List<Parcel> parcels) {
        journal.executed(id);
        return parcels;
    }
}
