// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.service;

import java.io.Serializable;

/** The request of a server stream. */
public final class StreamOrder implements Serializable {

    private static final long serialVersionUID = 1L;

    private final String id;
    private final int messages;
    private final int bytes;
    private final int millisBetween;
    private final boolean fails;

    /**
     * An order.
     *
     * @param id of the stream, by which its journal knows it
     * @param messages how many there are
     * @param bytes of each
     * @param millisBetween how long the provider waits before each but the first
     * @param fails whether the stream ends with a {@link BrokenException}
     */
    public StreamOrder(String id, int messages, int bytes, int millisBetween, boolean fails) {
        this.id = id;
        this.messages = messages;
        this.bytes = bytes;
        this.millisBetween = millisBetween;
        this.fails = fails;
    }

    /** By which its journal knows it. */
    public String id() {
        return id;
    }

    /** How many messages there are. */
    public int messages() {
        return messages;
    }

    /** How many bytes each has. */
    public int bytes() {
        return bytes;
    }

    /** How long the provider waits before each but the first. */
    public int millisBetween() {
        return millisBetween;
    }

    /** Whether the stream ends with an exception. */
    public boolean fails() {
        return fails;
    }
}
