// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.limits;

import io.netty.channel.EventLoop;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The bodies that wait for memory, in the order in which they began: the oldest that waits for a part of a message is read
 * further, one per connection while the process is within the limit, and one per process over it. Thread-safe.
 */
final class ReadQueue {

    private static final Logger log = LoggerFactory.getLogger(ReadQueue.class);

    /** More at a time only take memory. */
    private final int mostInflating = Runtime.getRuntime().availableProcessors();

    private final BooleanSupplier isWithinLimit;
    private final AtomicLong numbers = new AtomicLong();
    private volatile boolean someoneWaits;

    // guarded by this
    private final TreeSet<Entry> waiting = new TreeSet<>(Comparator.comparingLong(entry -> entry.number));
    private volatile @Nullable Entry oldest;
    private int inflating;

    /**
     * An empty queue.
     *
     * @param isWithinLimit whether the bytes of all bodies are within the limit
     */
    ReadQueue(BooleanSupplier isWithinLimit) {
        this.isWithinLimit = isWithinLimit;
    }

    /** Whether bodies wait. */
    boolean isUsed() {
        return someoneWaits;
    }

    /**
     * Asks connections whose bodies wait to resume.
     *
     * @param only the one that is asked, or null for all
     */
    synchronized void wake(@Nullable Connection only) {
        Set<Connection> connections = new LinkedHashSet<>();
        waiting.forEach(entry -> connections.add(entry.connection));
        for (Connection connection : connections) {
            if (only == null || connection == only) {
                connection.resume();
            }
        }
    }

    /** The body of a connection that is read although others wait; null if it has none. */
    synchronized @Nullable Entry served(Connection connection) {
        Entry first = oldest;
        Entry served = first != null && first.connection == connection ? first : connection.oldest;
        return isWithinLimit.getAsBoolean() || served == first ? served : null;
    }

    /** A connection, whose bodies resume together. */
    abstract static class Connection {

        final EventLoop eventLoop;
        private final Runnable resume;
        private final AtomicBoolean resuming = new AtomicBoolean();
        private volatile @Nullable Entry oldest;

        /**
         * One without bodies.
         *
         * @param resume asks again for every body that waits, on the event loop
         */
        Connection(EventLoop eventLoop, Runnable resume) {
            this.eventLoop = eventLoop;
            this.resume = resume;
        }

        private void resume() {
            if (resuming.compareAndSet(false, true)) {
                try {
                    eventLoop.execute(() -> {
                        resuming.set(false);
                        resume.run();
                    });
                } catch (RejectedExecutionException e) {
                    log.debug("highway: the server stops: " + e);
                }
            }
        }
    }

    /** A body. */
    abstract static class Entry {

        private final ReadQueue queue;
        private final Connection connection;
        private final long number;

        /** The bytes of whole messages that are not read yet. */
        private final AtomicLong unread = new AtomicLong();

        /** Whether its connection must resume once these are read. */
        private volatile boolean heldUp;

        /** Whether a message of it is incomplete: a body that waits for nothing else delays no other. */
        private volatile boolean isInsideMessage = true;

        private volatile boolean isOversized;

        Entry(ReadQueue queue, Connection connection) {
            this.queue = queue;
            this.connection = connection;
            this.number = queue.numbers.incrementAndGet();
        }

        /** How many of its bytes are buffered now. */
        public abstract long bytes();

        /** Waits, unless it is the oldest, which may grow. */
        final boolean mayGrowOrWaits() {
            synchronized (queue) {
                await();
                if (isHeldUp()) {
                    handOver();
                    return false;
                }
                if (!isInsideMessage) {
                    return false;
                }
                boolean isWithin = queue.isWithinLimit.getAsBoolean();
                if (queue.oldest == null && !isWithin) {
                    queue.chooseOldest();
                }
                if (connection.oldest == null) {
                    connection.oldest = this;
                }
                boolean may = queue.oldest == this || (connection.oldest == this && isWithin);
                if (may) {
                    queue.waiting.remove(this);
                }
                return may;
            }
        }

        private void await() {
            queue.waiting.add(this);
            queue.someoneWaits = true;
        }

        /** It waits for nothing. */
        final void stopWaiting() {
            if (queue.someoneWaits) {
                synchronized (queue) {
                    queue.waiting.remove(this);
                    queue.someoneWaits = !queue.waiting.isEmpty();
                }
            }
        }

        /** Takes a place among the messages that are inflated, or waits. */
        final boolean mayInflateOrWaits(boolean mayGrow) {
            synchronized (queue) {
                if (mayGrow && queue.inflating < queue.mostInflating) {
                    queue.inflating++;
                    return true;
                }
                await();
            }
            return false;
        }

        /** Its message has been inflated, or was found malformed. */
        public final void inflated() {
            synchronized (queue) {
                queue.inflating--;
            }
            queue.wake(null);
        }

        /** Tells whether a message of it is incomplete. */
        public final void insideMessage(boolean whether) {
            isInsideMessage = whether;
        }

        /** Its message is larger than the protocol's payload: others of the process do not wait for it. */
        public final void oversized() {
            isOversized = true;
            if (queue.oldest == this) {
                handOver();
            }
        }

        /** Whether others wait until it is complete. */
        public final boolean isServed() {
            return queue.oldest == this || connection.oldest == this;
        }

        /** Whether whole messages of it are not read yet. */
        public final boolean hasUnread() {
            return unread.get() > 0;
        }

        /** Whether messages of it wait to be read; if so, its connection resumes once they are. */
        public final boolean isHeldUp() {
            heldUp = true; // before the look: the last one may be read meanwhile
            heldUp = hasUnread();
            return heldUp;
        }

        final void addUnread(long message) {
            unread.addAndGet(message);
        }

        final void removeUnread(long message) {
            if (unread.addAndGet(-message) == 0 && heldUp) {
                connection.resume();
            }
        }

        /** Another of its connection may be the one that is served; false if it was not this one. */
        final boolean leaveConnection() {
            if (connection.oldest != this) {
                return false;
            }
            synchronized (queue) {
                connection.oldest = null;
            }
            return true;
        }

        /** The next oldest may grow. */
        public void handOver() {
            if (!isServed()) {
                return;
            }
            synchronized (queue) {
                if (connection.oldest == this) {
                    connection.oldest = null;
                }
                if (queue.oldest == this) {
                    queue.oldest = null;
                }
            }
            queue.wake(null);
        }
    }

    /** Called with the lock of the queue. */
    private void chooseOldest() {
        for (Entry first : waiting) {
            if (!first.hasUnread() && first.isInsideMessage && !first.isOversized) {
                oldest = first;
                first.connection.resume();
                return;
            }
        }
    }
}
