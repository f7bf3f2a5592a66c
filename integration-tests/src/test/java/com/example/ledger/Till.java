// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package com.example.ledger;

import java.io.Serializable;

/** A service of which callers may have another version. */
public interface Till {

    String pay(String what);

    String payFor(Item item);

    /** Fails with an exception that some callers do not have. */
    String fail(String how);

    /** What is paid for. */
    class Item implements Serializable {

        private static final long serialVersionUID = 1L;

        private String name = "";

        public String getName() {
            return name;
        }

        public void setName(String name) {
            this.name = name;
        }
    }

    /** A class that callers may not have. */
    class TillException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final int code;

        public TillException(String message, int code) {
            super(message);
            this.code = code;
        }

        public int code() {
            return code;
        }
    }
}
