// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.service;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Calls with one answer, over both protocols. The first argument is the call's id, by which its journal knows it. */
public interface Desk {

    /** Answers {@code <island> <text>}. */
    String answer(String id, String text);

    /** The same, from another thread. */
    CompletableFuture<String> answerLater(String id, String text);

    /** For oneway calls. */
    void note(String id, String text);

    /** Answers its arguments as {@code text/parcel}, or null if both are null. */
    @Nullable
    String orNull(String id, @Nullable String text, @Nullable Parcel parcel);

    /** Answers the parcel. */
    @Nullable
    Parcel hand(String id, @Nullable Parcel parcel);

    /** Always declines, with a checked exception. */
    String decline(String id, String text, int code) throws DeclinedException;

    /** Always breaks, with an unchecked exception. */
    String breakDown(String id, String text, int code);

    /** Answers the body's CRC-32. */
    long take(String id, byte[] body);

    /** Answers this number of incompressible bytes. */
    byte[] give(String id, int bytes);

    /**
     * Answers {@code <number>} once {@code count} calls of the same {@code id} have arrived, all in another order.
     *
     * @param number of this call among them
     */
    CompletableFuture<Integer> together(String id, int number, int count);

    /** Answers {@code <island> <text>} after so many milliseconds. */
    String slow(String id, String text, int millis);

    /** The same, and no thread waits meanwhile. */
    CompletableFuture<String> answerIn(String id, String text, int millis);

    /** Answers with so many response attachments, {@code answer-<number>} with the value {@code value-<number>}. */
    String attach(String id, int count);

    /** Answers with these response attachments. */
    String attachThese(String id, Map<String, String> attachments);

    /** The text attachments of the call as the service's code sees them. */
    Map<String, String> attachments(String id);

    /**
     * Runs, and then claims that it has not: sets the text as response attachments of the SDK's names, and ends as
     * {@code how} requires: {@code answer}, {@code runtime}, {@code rpc-<code>}, {@code status-<grpc code>} or
     * {@code later}. With {@code nested-<kind>} it makes another call to the URL {@code text}, which does not run, and
     * ends as that does.
     */
    CompletableFuture<String> claim(String id, String how, String text);

    /** Answers the parcels in the order they came. */
    List<Parcel> handAll(String id, List<Parcel> parcels);
}
