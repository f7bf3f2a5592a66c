// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.quickstart.provider;

import io.highway.samples.quickstart.service.SmsService;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

final class SmsProvider implements SmsService {

    private final Stamp stamp;
    private final BlockingQueue<String> notes = new LinkedBlockingQueue<>();

    SmsProvider(String island) {
        this.stamp = new Stamp(island);
    }

    @Override
    public String send(String text) {
        return stamp.on(text);
    }

    @Override
    public CompletableFuture<String> sendLater(String text) {
        String answer = stamp.on(text);
        return CompletableFuture.supplyAsync(() -> answer);
    }

    @Override
    public String sendTo(String province, String text) {
        return stamp.on(text);
    }

    @Override
    public String sendToCapital(String text) {
        return stamp.on(text);
    }

    @Override
    public void note(String text) {
        notes.add(stamp.on(text));
    }

    @Override
    public String nextNote() {
        try {
            String note = notes.poll(3, TimeUnit.SECONDS);
            return note == null ? "no note arrived" : note;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String purge(String text) {
        return stamp.on(text);
    }
}
