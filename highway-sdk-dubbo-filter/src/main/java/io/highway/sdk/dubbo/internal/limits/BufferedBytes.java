// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.limits;

import io.netty.channel.EventLoop;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
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

    private static final Logger log = LoggerFactory.getLogger(BufferedBytes.class);

    /** A body that waits and gains fewer bytes than {@link #STEP} in this time is refused. */
    public static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** The size of the steps in which bodies are inflated, and what every connection may buffer up to twice the limit. */
    public static final int STEP = 64 * 1024;

    /** The same over that: less than the first read of a connection, and a small request is complete with it. */
    private static final int LEAST = 1024;

    /** What a connection may send ahead of the standard window, as long as a quarter of the limit is left for that. */
    private static final int WINDOW = 2 * 1024 * 1024;

    /** The largest window of a stream: 30 Mbit/s over a round trip of 60 ms are 225 KB. */
    private static final int MOST_STREAM_WINDOW = 4 * STEP;

    /** How many windows of streams the limit has at least, unless they are as small as they get. */
    private static final int STREAM_WINDOWS = 512;

    /** What an empty message takes until it is read. */
    private static final long WITHOUT_DATA = 512;

    /** What is buffered takes three to five times as much while it is decoded, served and answered. */
    private static final long DEFAULT_LIMIT = Runtime.getRuntime().maxMemory() / 8;

    /** More at a time only take memory. */
    private final int mostInflating = Runtime.getRuntime().availableProcessors();

    private final AtomicLong numbers = new AtomicLong();
    private final AtomicLong total = new AtomicLong();
    private final AtomicLong windows = new AtomicLong();

    /** The bytes of the headers of requests that are not complete. */
    private final AtomicLong heads = new AtomicLong();

    private final LogLimit logLimit = new LogLimit();
    private volatile long limit = DEFAULT_LIMIT;
    private volatile boolean someoneWaits;

    // guarded by this
    private final TreeSet<Body> waiting = new TreeSet<>(Comparator.comparingLong(body -> body.number));
    private volatile @Nullable Body oldest;
    private volatile @Nullable Body oldestAnswer;
    private int inflating;

    /** Called by Dubbo's bean factory. */
    public BufferedBytes() {}

    /** Those of the process: of its Dubbo framework. */
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
        return (int) Math.max(STEP, Math.min(MOST_STREAM_WINDOW, limit / STREAM_WINDOWS));
    }

    /** The bytes that are buffered now. */
    public long bytes() {
        return total.get();
    }

    /** Counts a step of an answer that is inflated; false if it is over the limit. */
    public boolean addInflated(int step) {
        return total.addAndGet(step) <= limit;
    }

    /** The answer is inflated, or refused. */
    public void removeInflated(int steps) {
        long before = total.getAndAdd(-steps);
        if (someoneWaits && before > limit) {
            wake(null);
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

    private synchronized void wake(@Nullable Connection only) {
        Set<Connection> connections = new LinkedHashSet<>();
        waiting.forEach(body -> connections.add(body.connection));
        for (Connection connection : connections) {
            if (only == null || connection == only) {
                connection.resume();
            }
        }
    }

    /** One connection. */
    public final class Connection {

        private final EventLoop eventLoop;
        private final Runnable resume;
        private final BooleanSupplier sweep;
        private final AtomicLong held = new AtomicLong();

        /** How many bodies may send on: each up to {@link #streamWindow} unasked. */
        private final AtomicInteger sending = new AtomicInteger();

        private final AtomicBoolean resuming = new AtomicBoolean();
        private volatile @Nullable Body oldestHere;
        private long headsHere;
        private boolean sweeping;
        private int window;

        private Connection(EventLoop eventLoop, Runnable resume, BooleanSupplier sweep) {
            this.eventLoop = eventLoop;
            this.resume = resume;
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
            int taken = windows.addAndGet(WINDOW) <= limit / 4 ? WINDOW : 0;
            windows.addAndGet(taken - WINDOW);
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
            windows.addAndGet(-window);
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
            return total.get() > limit || !isWithinShare();
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
            return total.get() <= limit && held.get() <= limit * 3 / 4;
        }

        /** Whether the oldest gets its bytes only if others are refused, which hold too much to be read with it. */
        public boolean isCrowded() {
            return isReadForOldest(false);
        }

        private boolean isReadForOldest(boolean withOthers) {
            synchronized (BufferedBytes.this) {
                Body first = oldest;
                Body served = first != null && first.connection == this ? first : oldestHere;
                boolean isRead = total.get() <= limit || served == first;
                return isRead && served != null && held.get() - served.bytes() <= limit * 3 / 4 == withOthers;
            }
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

    /** One body: a message of a call, or all of them. */
    public final class Body {

        private final long number = numbers.incrementAndGet();
        private final Connection connection;

        /** The bytes of whole messages that are not read yet. */
        private final AtomicLong unread = new AtomicLong();

        private final AtomicBoolean ended = new AtomicBoolean();

        /** Whether its connection must resume once these are read. */
        private volatile boolean heldUp;

        /** Whether a message of it is incomplete: a body that waits for nothing else delays no other. */
        private volatile boolean isInsideMessage = true;

        private volatile boolean isOversized;

        // guarded by this
        private long bytes;
        private boolean released;

        private volatile long progressAt = System.nanoTime();
        private long sinceProgress;

        private Body(Connection connection) {
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

        /** How many of its bytes are buffered now. */
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
            synchronized (BufferedBytes.this) {
                waiting.add(this);
                someoneWaits = true;
                if (isHeldUp()) {
                    handOver();
                    return false;
                }
                if (!isInsideMessage) {
                    return false;
                }
                boolean isWithin = total.get() <= limit;
                if (oldest == null && !isWithin) {
                    for (Body first : waiting) {
                        if (!first.hasUnread() && first.isInsideMessage && !first.isOversized) {
                            oldest = first;
                            first.connection.resume();
                            break;
                        }
                    }
                }
                if (connection.oldestHere == null) {
                    connection.oldestHere = this;
                }
                boolean may = oldest == this || (connection.oldestHere == this && isWithin);
                if (may) {
                    waiting.remove(this);
                }
                return may;
            }
        }

        /**
         * Whether its message may be inflated now; if so, {@code inflated} must follow, otherwise it waits.
         *
         * @param isSmall whether it takes at most {@link #STEP} bytes
         */
        public boolean mayInflate(boolean isSmall) {
            boolean mayGrow = isSmall ? mayGrow() : mayGrowBeyondStep();
            synchronized (BufferedBytes.this) {
                if (mayGrow && inflating < mostInflating) {
                    inflating++;
                    return true;
                }
                waiting.add(this);
                someoneWaits = true;
            }
            return false;
        }

        /** Its message has been inflated, or was found malformed. */
        public void inflated() {
            synchronized (BufferedBytes.this) {
                inflating--;
            }
            wake(null);
        }

        private void stopWaiting() {
            if (someoneWaits) {
                synchronized (BufferedBytes.this) {
                    waiting.remove(this);
                    someoneWaits = !waiting.isEmpty();
                }
            }
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
            if (someoneWaits) {
                boolean frees = isCrossed(limit, before, fewer) || isCrossed(2 * limit, before, fewer);
                boolean freesHere = heldBefore > limit / 4 || heldBefore - fewer <= STEP;
                if (frees || freesHere) {
                    wake(frees ? null : connection);
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
            boolean handsOver = connection.oldestHere == this && connection.isWithinShare();
            if (handsOver) {
                synchronized (BufferedBytes.this) {
                    connection.oldestHere = null;
                }
            }
            if (someoneWaits && (makesRoom || handsOver)) {
                wake(connection);
            }
        }

        /** Tells whether a message of it is incomplete. */
        public void insideMessage(boolean whether) {
            isInsideMessage = whether;
        }

        /** Its message is larger than the protocol's payload: others of the process do not wait for it. */
        public void oversized() {
            isOversized = true;
            if (oldest == this) {
                handOver();
            }
        }

        /** Whether others wait until it is complete. */
        public boolean isServed() {
            return oldest == this || connection.oldestHere == this;
        }

        /** Whether an answer must end: there is no memory for more of it, and another may have what becomes free. */
        public boolean isOver() {
            if (total.get() <= limit || connection.held.get() <= STEP) {
                return false;
            }
            synchronized (BufferedBytes.this) {
                if (oldestAnswer == null) {
                    oldestAnswer = this;
                }
                return oldestAnswer != this;
            }
        }

        /** Whether whole messages of it are not read yet. */
        public boolean hasUnread() {
            return unread.get() > 0;
        }

        /** Whether messages of it wait to be read; if so, its connection resumes once they are. */
        public boolean isHeldUp() {
            heldUp = true; // before the look: the last one may be read meanwhile
            heldUp = hasUnread();
            return heldUp;
        }

        /**
         * One of its messages is whole, and waits to be read.
         *
         * @return what it counts until then, for {@link #taken}
         */
        public long passOn(int message) {
            long whole = WITHOUT_DATA + message;
            add(WITHOUT_DATA);
            unread.addAndGet(whole);
            return whole;
        }

        /** Such a message was read. */
        public void taken(long message) {
            if (unread.addAndGet(-message) == 0 && heldUp) {
                connection.resume();
            }
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

        /** The next oldest may grow. */
        public void handOver() {
            if (oldestAnswer == this) {
                oldestAnswer = null;
            }
            if (oldest != this && connection.oldestHere != this) {
                return;
            }
            synchronized (BufferedBytes.this) {
                if (connection.oldestHere == this) {
                    connection.oldestHere = null;
                }
                if (oldest == this) {
                    oldest = null;
                }
            }
            wake(null);
        }
    }
}
