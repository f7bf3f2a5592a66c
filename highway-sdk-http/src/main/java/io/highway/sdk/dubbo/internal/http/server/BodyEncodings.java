// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http.server;

import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.dubbo.internal.evidence.NotSentStatements;
import io.highway.sdk.dubbo.internal.http.HttpWire;
import io.highway.sdk.dubbo.internal.network.compression.BoundedInflater;
import io.highway.sdk.dubbo.internal.provider.server.ServerContext;
import io.highway.sdk.internal.Texts;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/**
 * How the bodies of one request and its answer may be compressed.
 *
 * @param encoding of the request; null if it is sent as it is
 * @param accepted what the caller can inflate, or null
 * @param dictionary the encoding with the dictionary of the caller's island, or null
 */
record BodyEncodings(@Nullable String encoding, @Nullable String accepted, @Nullable String dictionary) {

    static BodyEncodings of(HttpRequestHead head, FrameworkModel framework) throws RequestRejectedException {
        String from = head.one(HighwayAttachments.FROM);
        return new BodyEncodings(
                head.one(HttpWire.ENCODING),
                head.one(HttpWire.ACCEPT_ENCODING),
                ServerContext.of(framework).dictionaryOf(from));
    }

    /** Why the body cannot be read, or null. */
    @Nullable
    String refusal() {
        return encoding == null || encoding.equals(dictionary) || BoundedInflater.ENCODINGS.contains(encoding)
                ? null
                : NotSentStatements.NO_SUCH_ENCODING + "; the provider reads " + BoundedInflater.accepted(dictionary)
                        + " and not " + Texts.printable(encoding);
    }

    /** What the answer advertises. */
    String advertised() {
        return BoundedInflater.accepted(dictionary);
    }
}
