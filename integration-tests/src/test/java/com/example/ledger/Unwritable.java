// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package com.example.ledger;

import java.io.Serializable;
import java.util.Arrays;

/** Exceptions of classes that Dubbo's serialize check lists, and whose content cannot be written. */
public enum Unwritable {
    /** A field whose class does not implement {@code Serializable}. */
    FIELD {
        @Override
        public RuntimeException create() {
            return new Holding(new Entry(), null, null, null);
        }
    },
    /** A field that throws as soon as it is written. */
    REPLACED {
        @Override
        public RuntimeException create() {
            return new Holding(null, new Throwing(new IllegalStateException("cannot be written")), null, null);
        }
    },
    /** A class that is missing when it is written. */
    MISSING {
        @Override
        public RuntimeException create() {
            return new Holding(null, new Throwing(new NoClassDefFoundError("cannot be written")), null, null);
        }
    },
    /** A list of as many elements that no stack is deep enough. */
    DEEP {
        @Override
        public RuntimeException create() {
            Node node = null;
            for (int i = 0; i < 100_000; i++) {
                node = new Node(node);
            }
            return new Holding(null, null, node, null);
        }
    },
    /** A field of more bytes than an answer may have. */
    LARGE {
        @Override
        public RuntimeException create() {
            byte[] bytes = new byte[20 * 1024 * 1024];
            Arrays.fill(bytes, (byte) 1);
            return new Holding(null, null, null, bytes);
        }
    },
    /** More causes than a stack is deep, of the JDK alone. */
    CHAIN {
        @Override
        public RuntimeException create() {
            RuntimeException thrown = new IllegalStateException("unwritable");
            for (int i = 0; i < 20_000; i++) {
                thrown = new IllegalStateException("unwritable", thrown);
            }
            return thrown;
        }
    },
    /** A cause that throws. */
    CAUSE {
        @Override
        public RuntimeException create() {
            return new WithoutCause();
        }
    },
    /** A message that throws. */
    MESSAGE {
        @Override
        public RuntimeException create() {
            return new WithoutMessage();
        }
    };

    /** A new one. */
    public abstract RuntimeException create();

    /** One that keeps something; the serialize check lists the types of its fields, too. */
    public static final class Holding extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @SuppressWarnings("serial")
        public final Entry entry;

        public final Throwing throwing;
        public final Node node;
        public final byte[] bytes;

        Holding(Entry entry, Throwing throwing, Node node, byte[] bytes) {
            super("unwritable");
            this.entry = entry;
            this.throwing = throwing;
            this.node = node;
            this.bytes = bytes;
        }
    }

    /** Not serializable. */
    public static final class Entry {

        public final String name = "entry";
    }

    /** Throws when it is written. */
    public static final class Throwing implements Serializable {

        private static final long serialVersionUID = 1L;

        private final Throwable thrown;

        Throwing(Throwable thrown) {
            this.thrown = thrown;
        }

        @SuppressWarnings("UnusedMethod")
        private Object writeReplace() {
            if (thrown instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) thrown;
        }
    }

    /** A list. */
    public static final class Node implements Serializable {

        private static final long serialVersionUID = 1L;

        public final Node next;

        Node(Node next) {
            this.next = next;
        }
    }

    /** Its cause throws. */
    public static final class WithoutCause extends RuntimeException {

        private static final long serialVersionUID = 1L;

        WithoutCause() {
            super("unwritable");
        }

        @Override
        public synchronized Throwable getCause() {
            throw new IllegalStateException("no cause can be told");
        }
    }

    /** Its message throws. */
    public static final class WithoutMessage extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message can be told");
        }
    }
}
