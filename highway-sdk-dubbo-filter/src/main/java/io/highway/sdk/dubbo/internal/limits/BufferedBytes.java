// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.limits;

import io.netty.channel.EventLoop;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of requests to this process and of answers of gateways that are buffered and inflated, all connections together
 * ({@code max-buffered}). Bytes count as they arrive and as they are inflated; announced lengths do not count. A body
 * may grow, which means that its connection is read further, by the first rule that applies:
 *
 * <ol>
 *   <li>its connection has at most 64 KB, and so has the message if it is to be inflated; over twice the limit 1 KB, since
 *       thousands of connections would hold a multiple of it otherwise
 *   <li>it is the oldest that waits for a part of a message, until it is released, or for ten seconds after its last
 *       byte: one per process over the limit, and one per connection over a quarter of the limit; a stream with whole
 *       messages that are not read yet is left out, as it would take ever more, and over the limit a message that is
 *       larger than the payload
 *   <li>the process is within the limit, and the connection within a quarter of it and, with what its bodies may still
 *       send unasked, within half of it: the oldest gets nothing while others use up the connection's window
 * </ol>
 *
 * Others of an HTTP/2 connection may send on what the peer has begun to send; those that need more are refused once they have
 * three quarters of the limit.
 *
 * An answer over HTTP/2 does not wait, since other answers of its connection would: what makes all of them exceed the limit
 * ends. Thread-safe.
 */
public final class BufferedBytes {

    /** A body that waits and gains fewer bytes than {@link #STEP} in this time is refused. */
    public static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** The size of the steps in which bodies are inflated, and what every connection may buffer up to twice the limit. */
    public static final int STEP = 64 * 1024;

    /** What every connection may buffer over twice the limit: less than the first read of a connection, and a small request is complete with it. */
    private static final int LEAST = 1024;

    /** What an empty message takes until it is read. */
    private static final long WITHOUT_DATA = 512;

    /** What is buffered takes three to five times as much while it is decoded, served and answered. */
    private static final long DEFAULT_LIMIT = Runtime.getRuntime().maxMemory() / 8;

    private final AtomicLong total = new AtomicLong();
    private final ReceiveWindows windows = new ReceiveWindows(STEP);

    /** The bytes of the headers of requests that are not complete. */
    private final AtomicLong heads = new AtomicLong();

    private final LogLimit logLimit = new LogLimit();
    private final ReadQueue queue = new ReadQueue(this::isWithinLimit);

    /** The answer that may take more while the process is over the limit. */
    private final AtomicReference<@Nullable Body> oldestAnswer = new AtomicReference<>();

    private volatile long limit = DEFAULT_LIMIT;

    /** Called by Dubbo's bean factory. */
    public BufferedBytes() {}

    /** The buffered bytes of a Dubbo framework, of which a process usually has one. */
    public static BufferedBytes of(FrameworkModel framework) {
        return framework.getBeanFactory().getOrRegisterBean(BufferedBytes.class);
    }

    /** Sets the limit in bytes; it is an eighth of the heap otherwise. */
    public void limit(long bytes) {
        limit = bytes;
    }

    /** The limit in bytes. */
    public long limit() {
        return limit;
    }

    /** What a body may send unasked: 64 KB, and more if the limit has hundreds of it. */
    public int streamWindow() {
        return windows.ofStream(limit);
    }

    /** The bytes that are buffered now. */
    public long bytes() {
        return total.get();
    }

    private boolean isWithinLimit() {
        return total.get() <= limit;
    }

    /** Counts a step of an answer that is inflated; false if it is over the limit. */
    public boolean addInflated(int step) {
        return total.addAndGet(step) <= limit;
    }

    /** The answer is inflated, or refused. */
    public void removeInflated(int steps) {
        long before = total.getAndAdd(-steps);
        if (queue.isUsed() && before > limit) {
            queue.wake(null);
        }
    }

    /**
     * A connection.
     *
     * @param eventLoop of the connection; it runs the following
     * @param resume asks again for every body that waits
     * @param sweep looks at bodies that gain nothing, once a second; returns whether there are bodies left
     */
    public Connection connection(EventLoop eventLoop, Runnable resume, BooleanSupplier sweep) {
        return new Connection(eventLoop, resume, sweep);
    }

    /** What every connection may buffer while all take so much. */
    private static int always(long all, long most) {
        return all <= 2 * most ? STEP : LEAST;
    }

    private static boolean isCrossed(long threshold, long before, long fewer) {
        return before > threshold && before - fewer <= threshold;
    }

    /** One connection. */
    public final class Connection extends ReadQueue.Connection {

        private final BooleanSupplier sweep;
        private final AtomicLong held = new AtomicLong();

        /** How many bodies may send on: each up to {@link #streamWindow} unasked. */
        private final AtomicInteger sending = new AtomicInteger();

        private long headsHere;
        private boolean sweeping;
        private int window;

        private Connection(EventLoop eventLoop, Runnable resume, BooleanSupplier sweep) {
            super(eventLoop, resume);
            this.sweep = sweep;
        }

        /** A body begins; called on the event loop. */
        public Body begin() {
            sweepLater();
            sending.incrementAndGet();
            return new Body(this);
        }

        /** The bytes by which the window of the connection may be raised; {@link #close} gives them back. */
        public int takeWindow() {
            int taken = windows.take(limit);
            window += taken;
            return taken;
        }

        /**
         * Counts the headers of a request until {@link #returnHead}; called on the event loop.
         *
         * @return false if those of this connection, or of all, take too much already
         */
        public boolean takeHead(int bytes) {
            headsHere += bytes;
            long all = heads.addAndGet(bytes);
            boolean isWithin = all <= limit / 4 && headsHere <= limit / 8;
            return isWithin || headsHere <= always(all, limit / 4);
        }

        /** A request is complete, or its headers are not needed any more. */
        public void returnHead(int bytes) {
            headsHere -= bytes;
            heads.addAndGet(-bytes);
        }

        /** The connection is closed. */
        public void close() {
            windows.giveBack(window);
            window = 0;
        }

        @SuppressWarnings("FutureReturnValueIgnored") // it ends with the connection
        private void sweepLater() {
            if (!sweeping) {
                sweeping = true;
                eventLoop.schedule(this::sweep, 1, TimeUnit.SECONDS);
            }
        }

        private void sweep() {
            sweeping = false;
            if (sweep.getAsBoolean()) {
                sweepLater();
            }
        }

        /** Limits the log lines about requests that are refused. */
        public LogLimit logLimit() {
            return logLimit;
        }

        /** The limit in bytes of all connections together. */
        public long limit() {
            return limit;
        }

        /** Whether bodies should keep no more memory than their bytes. */
        public boolean isMemoryScarce() {
            return total.get() > limit / 8;
        }

        private boolean isWithinShare() {
            return held.get() <= limit / 4;
        }

        /** Whether others than the oldest leave room for it. */
        private boolean leavesRoom() {
            return held.get() + (long) sending.get() * streamWindow() <= limit / 2;
        }

        /** Whether bodies wait, here or elsewhere, for what those of this connection hold. */
        public boolean isUnderPressure() {
            return !isWithinLimit() || !isWithinShare();
        }

        /**
         * Whether other bodies of the connection may still send what the peer has begun to send: without that, the
         * oldest would not get its own bytes.
         */
        public boolean mayLend() {
            return isReadForOldest(true);
        }

        /** Whether bodies that miss nothing may lend, too: others of the connection have not come to their turn yet. */
        public boolean hasRoom() {
            return isWithinLimit() && held.get() <= limit * 3 / 4;
        }

        /** Whether the oldest gets its bytes only if others are refused, which hold too much to be read with it. */
        public boolean isCrowded() {
            return isReadForOldest(false);
        }

        private boolean isReadForOldest(boolean withOthers) {
            ReadQueue.Entry served = queue.served(this);
            return served != null && held.get() - served.bytes() <= limit * 3 / 4 == withOthers;
        }
    }

    /** One body: a message of a call, or all of them. */
    public final class Body extends ReadQueue.Entry {

        private final Connection connection;
        private final AtomicBoolean ended = new AtomicBoolean();

        // guarded by this
        private long bytes;
        private boolean released;

        private volatile long progressAt = System.nanoTime();
        private long sinceProgress;

        private Body(Connection connection) {
            super(queue, connection);
            this.connection = connection;
        }

        /** Counts bytes that have arrived or were inflated. */
        public void add(long more) {
            synchronized (this) {
                if (released) {
                    return;
                }
                bytes += more;
                sinceProgress += more;
                if (sinceProgress >= STEP) {
                    progress();
                }
            }
            connection.held.addAndGet(more);
            total.addAndGet(more);
        }

        /** The body has gained enough to go on for another while. */
        public synchronized void progress() {
            sinceProgress = 0;
            progressAt = System.nanoTime();
        }

        @Override
        public synchronized long bytes() {
            return bytes;
        }

        /** Whether it has gained too little for too long. */
        public boolean isStalled() {
            return System.nanoTime() - progressAt > PROGRESS_NANOS;
        }

        /** Whether more of it may be read; if not, it waits, and its connection resumes later. */
        public boolean mayGrow() {
            if (connection.held.get() <= always(total.get(), limit)) {
                stopWaiting();
                return true;
            }
            return mayGrowBeyondStep();
        }

        private boolean mayGrowBeyondStep() {
            if (!connection.isUnderPressure() && connection.leavesRoom()) {
                stopWaiting();
                return true;
            }
            return mayGrowOrWaits();
        }

        /**
         * Whether its message may be inflated now; if so, {@code inflated} must follow, otherwise it waits.
         *
         * @param isSmall whether it takes at most {@link #STEP} bytes
         */
        public boolean mayInflate(boolean isSmall) {
            return mayInflateOrWaits(isSmall ? mayGrow() : mayGrowBeyondStep());
        }

        /** Discounts bytes that are no longer buffered. */
        public void remove(long fewer) {
            synchronized (this) {
                if (released) {
                    return;
                }
                bytes -= fewer;
            }
            discount(fewer);
        }

        private void discount(long fewer) {
            long heldBefore = connection.held.getAndAdd(-fewer);
            long before = total.getAndAdd(-fewer);
            if (queue.isUsed()) {
                boolean frees = isCrossed(limit, before, fewer) || isCrossed(2 * limit, before, fewer);
                boolean freesHere = heldBefore > limit / 4 || heldBefore - fewer <= STEP;
                if (frees || freesHere) {
                    queue.wake(frees ? null : connection);
                }
            }
        }

        /**
         * A message of it is whole: another of the connection may be the one that is served, if the connection is within
         * its share.
         *
         * @param isEnd whether nothing more comes
         */
        public void arrived(boolean isEnd) {
            boolean makesRoom = isEnd && ended.compareAndSet(false, true);
            if (makesRoom) {
                connection.sending.decrementAndGet();
            }
            boolean handsOver = connection.isWithinShare() && leaveConnection();
            if (queue.isUsed() && (makesRoom || handsOver)) {
                queue.wake(connection);
            }
        }

        /** Whether an answer must end: there is no memory for more of it, and another may have what becomes free. */
        public boolean isOver() {
            return !isWithinLimit()
                    && connection.held.get() > STEP
                    && oldestAnswer.get() != this
                    && !oldestAnswer.compareAndSet(null, this);
        }

        /**
         * One of its messages is whole, and waits to be read.
         *
         * @return what it counts until then, for {@link #taken}
         */
        public long passOn(int message) {
            long whole = WITHOUT_DATA + message;
            add(WITHOUT_DATA);
            addUnread(whole);
            return whole;
        }

        /** Such a message was read. */
        public void taken(long message) {
            removeUnread(message);
            remove(message);
        }

        /** Nothing of it is buffered any more. May be called twice. */
        public void release() {
            long rest;
            synchronized (this) {
                if (released) {
                    return;
                }
                released = true;
                rest = bytes;
            }
            leave();
            discount(rest);
            handOver();
        }

        private void leave() {
            arrived(true);
            stopWaiting();
        }

        /**
         * Its connection or stream has ended, and its call may run on: what is more than a step counts for another ten
         * seconds, unless it is released before.
         */
        @SuppressWarnings("FutureReturnValueIgnored") // it may end with the process
        public void releaseLater() {
            if (bytes() <= STEP) {
                release();
                return;
            }
            leave();
            handOver();
            try {
                connection
                        .eventLoop
                        .schedule(() -> {}, PROGRESS_NANOS, TimeUnit.NANOSECONDS)
                        .addListener(ended -> release()); // also if the server stops before
            } catch (RejectedExecutionException e) { // the process stops
                release();
            }
        }

        @Override
        public void handOver() {
            oldestAnswer.compareAndSet(this, null);
            super.handOver();
        }
    }
}
