// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import io.highway.sdk.Caller;
import io.highway.sdk.Highway;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.RpcContext;

/** The provider's side: answers with its island's name and keeps what it received. */
class ShopKeeper implements Shop, Feed {

    private final String island;
    final BlockingQueue<Received> received = new LinkedBlockingQueue<>();

    /** What {@link #order} answers, if it is set. */
    volatile Order ordered;

    /** What one call looked like when it arrived. */
    record Received(String method, Map<String, Object> attachments, Caller caller, Thread thread) {}

    ShopKeeper(String island) {
        this.island = island;
    }

    private String answer(String method, String text) {
        received.add(new Received(
                method,
                new TreeMap<>(RpcContext.getServerAttachment().getObjectAttachments()),
                Highway.caller().orElse(null),
                Thread.currentThread()));
        RpcContext.getServerContext().setAttachment("shop-island", island);
        return island + ":" + text;
    }

    @Override
    public String sell(String item) {
        return answer("sell", item);
    }

    @Override
    public CompletableFuture<String> sellLater(String item) {
        String answer = answer("sellLater", item);
        return CompletableFuture.supplyAsync(() -> answer);
    }

    @Override
    public void note(String item) {
        answer("note", item);
    }

    @Override
    public Order order(Order order) {
        String answer = answer("order", order.getItem());
        return ordered == null ? new Order(answer, order.getAddress()) : ordered;
    }

    @Override
    public String refuse(String why) throws SoldOutException {
        throw new SoldOutException(answer("refuse", why));
    }

    @Override
    public CompletableFuture<String> refuseLater(String why) {
        return CompletableFuture.failedFuture(new SoldOutException(answer("refuseLater", why)));
    }

    @Override
    public String nothing(String maybe) {
        answer("nothing", maybe);
        return null;
    }

    @Override
    public byte[] pack(byte[] content) {
        answer("pack", content.length + " bytes");
        return content;
    }

    @Override
    public String slow(int millis) {
        LockSupport.parkNanos(1); // uses up a permit left from an earlier call on this thread
        String answer = answer("slow", String.valueOf(millis));
        LockSupport.parkNanos(millis * 1_000_000L);
        return answer;
    }

    /** Ends the waits of {@link #slow} and {@link #keep}. */
    void hurry() {
        received.forEach(call -> LockSupport.unpark(call.thread()));
    }

    /** Answers once it is hurried. */
    @Override
    public String keep(Order order) {
        LockSupport.parkNanos(1);
        String answer = answer("keep", "kept");
        LockSupport.parkNanos(15_000_000_000L);
        return answer;
    }

    @Override
    public String sellIn(String province, String item) {
        return answer("sellIn", item);
    }

    @Override
    public String ship(Order order) {
        return answer("ship", order.getItem());
    }

    @Override
    public String find(Map<String, String> address) {
        return answer("find", address.get("code"));
    }

    @Override
    public String sellInBeijing(String item) {
        return answer("sellInBeijing", item);
    }

    @Override
    public void count(Integer to, StreamObserver<String> answers) {
        for (int i = 1; i <= to; i++) {
            answers.onNext(island + ":" + i);
        }
        answers.onCompleted();
    }

    @Override
    public StreamObserver<String> join(StreamObserver<String> answers) {
        return new StreamObserver<>() {
            @Override
            public void onNext(String text) {
                answers.onNext(island + ":" + text);
            }

            @Override
            public void onError(Throwable error) {
                answers.onError(error);
            }

            @Override
            public void onCompleted() {
                answers.onCompleted();
            }
        };
    }

    @Override
    public StreamObserver<String> sum(StreamObserver<Integer> answer) {
        return new StreamObserver<>() {
            private int sum;

            @Override
            public void onNext(String number) {
                sum += Integer.parseInt(number);
            }

            @Override
            public void onError(Throwable error) {
                answer.onError(error);
            }

            @Override
            public void onCompleted() {
                answer.onNext(sum);
                answer.onCompleted();
            }
        };
    }
}
