// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package com.example.ledger;

import java.util.concurrent.CompletableFuture;
import org.apache.dubbo.common.stream.StreamObserver;

/**
 * A service in a separate package: Dubbo's serialize check trusts the packages of a service's interface, and a user's
 * interface is not in the SDK's.
 */
public interface Ledger {

    /** Fails according to {@code how}. What it declares is listed by Dubbo's serialize check. */
    String book(String how) throws Unwritable.Holding, Unwritable.WithoutCause, Unwritable.WithoutMessage;

    /** Fails later, on another thread. */
    CompletableFuture<String> bookLater(String how);

    /** Answers when the test lets it. */
    String wait(String entry);

    /** Streams of the service, which Triple alone carries. */
    interface Feed {

        /** Answers once, then fails according to {@code how}. */
        void entries(String how, StreamObserver<String> answers);
    }

    /** The service's own exception, unchecked; it is next to the interface, so Dubbo passes it on. */
    class LedgerException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        public LedgerException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
