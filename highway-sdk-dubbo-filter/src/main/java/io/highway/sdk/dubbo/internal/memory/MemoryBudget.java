// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.memory;

import io.highway.sdk.dubbo.internal.limits.LogLimit;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/**
 * The memory that bodies of requests to this process and of answers of gateways take ({@code max-buffered}), per connection
 * and all together. Bytes count as they arrive and, in steps of at most 64 KB, as they are inflated, until their call is
 * answered or a message of a stream is read; announced lengths do not count. The rule:
 *
 * <ol>
 *   <li>Within the limit every body may grow: its connection is read on, or the window of its stream is returned. An eighth
 *       of the limit is reserved for bodies up to 64 KB.
 *   <li>Over it a body up to 64 KB may grow while such bodies take no more than their eighth, or its connection has no more
 *       than 64 KB; 1 KB over twice the limit, since thousands of connections would hold a multiple of it otherwise.
 *   <li>One other body may grow until it is released: the largest incomplete one of the connection that holds most, among
 *       those that no service has begun to read if there are any. All others wait.
 *   <li>If in a second that one does not gain 64 KB, no more than that is freed, and those that wait do not gain 1 MB (or
 *       a 64th of the limit) from the windows that they still have, which share its link, it is refused; over twice the
 *       limit as many as exceed that. Then the next one is chosen. A whole body, or a stream without a part of a message,
 *       is never refused.
 *   <li>A peer of HTTP/2 may send the windows of its streams unasked: over twice the limit a body that would have to wait is
 *       refused at once.
 * </ol>
 *
 * A stream waits, too, while its service has not read an eighth of the limit of its messages. As many messages of requests
 * are inflated at a time as there are processors, and as many of answers, of which those up to 64 KB do not wait. A whole
 * answer up to 64 KB counts no more, as there are no more of them than calls. Thread-safe.
 */
public final class MemoryBudget {

    /** The size of a small body, and of the steps in which bodies are inflated. */
    public static final int STEP = 64 * 1024;

    /** How long what a call takes counts if nothing tells that it has ended. */
    public static final int KEPT_SECONDS = 10;

    private static final Logger log = LoggerFactory.getLogger(MemoryBudget.class);

    /** Less than the first read of a connection, and a small request is complete with it. */
    private static final int LEAST = 1024;

    /** What an empty message takes until it is read. */
    private static final long WITHOUT_DATA = 512;

    /** What is buffered takes three to five times as much while it is decoded, served and answered. */
    private static final long DEFAULT_LIMIT = Runtime.getRuntime().maxMemory() / 8;

    /** More messages at a time would only take memory. */
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    /** The largest window of a stream: 30 Mbit/s over a round trip of 60 ms are 225 KB. */
    private static final int MOST_WINDOW = 256 * 1024;

    /** What those that wait gain together in a second if they progress, bytes; less if the limit is small. */
    private static final long ENOUGH_PROGRESS = 1024 * 1024;

    private static final int PROGRESS_OF_LIMIT = 64;

    /** How many windows of streams the limit has at least, unless they are as small as they get. */
    private static final int WINDOWS = 512;

    private final AtomicLong total = new AtomicLong();

    /** Of bodies up to a step. */
    private final AtomicLong small = new AtomicLong();

    /** The bytes of the headers of requests that are not complete. */
    private final AtomicLong heads = new AtomicLong();

    private final LogLimit logLimit = new LogLimit();
    private volatile long limit = DEFAULT_LIMIT;
    private volatile boolean someoneWaits;

    /** The one that may grow over the limit. */
    private volatile @Nullable Body chosen;

    /** What it has gained, and what was freed, since the last look. */
    private final AtomicLong progress = new AtomicLong();

    /** What those that wait have gained since the last look. */
    private final AtomicLong arrived = new AtomicLong();

    // guarded by this
    /** Bodies that are larger than a step, or wait. */
    private final Set<Body> bodies = new LinkedHashSet<>();

    private boolean isWatching;
    private int inflating;

    /** One for each large answer that may be inflated now. */
    private final Semaphore inflatingAnswers = new Semaphore(PROCESSORS);

    private final Consumer<Runnable> inASecond;

    /** Called by Dubbo's bean factory. */
    @SuppressWarnings("FutureReturnValueIgnored") // it ends when no body waits
    public MemoryBudget() {
        this(task -> GlobalEventExecutor.INSTANCE.schedule(task, 1, TimeUnit.SECONDS));
    }

    /** With another clock. */
    MemoryBudget(Consumer<Runnable> inASecond) {
        this.inASecond = inASecond;
    }

    /** The budget of a Dubbo framework, of which a process usually has one. */
    public static MemoryBudget of(FrameworkModel framework) {
        return framework.getBeanFactory().getOrRegisterBean(MemoryBudget.class);
    }

    /** Sets the limit in bytes; it is an eighth of the heap otherwise. */
    public void limit(long bytes) {
        limit = bytes;
    }

    /** The limit in bytes. */
    public long limit() {
        return limit;
    }

    /** The bytes that are buffered now. */
    public long bytes() {
        return total.get();
    }

    /** The window of an HTTP/2 stream: 64 KB, and more if the limit has hundreds of it. */
    public int streamWindow() {
        return (int) Math.max(STEP, Math.min(MOST_WINDOW, limit / WINDOWS));
    }

    /** Limits the log lines about requests that are refused. */
    public LogLimit logLimit() {
        return logLimit;
    }

    /** Whether bodies should keep no more memory than their bytes. */
    public boolean isScarce() {
        return total.get() > limit / 8;
    }

    /** Whether larger bodies than a step must wait. */
    public boolean isOver() {
        long reserved = limit / 8;
        return total.get() - Math.min(small.get(), reserved) > limit - reserved;
    }

    private boolean isFarOver() {
        return total.get() > 2 * limit;
    }

    /** Counts a step of an answer that is inflated; false if there is no memory for it. */
    public boolean addInflated(int step) {
        total.addAndGet(step);
        return !isFarOver();
    }

    /** The answer is decoded, or refused. */
    public void removeInflated(int steps) {
        total.addAndGet(-steps);
        freed(steps);
    }

    /**
     * Waits on this thread until a large answer may be inflated; if it may, {@link #endInflating} must follow.
     *
     * @param millis the longest wait
     */
    public boolean awaitInflating(long millis) throws InterruptedException {
        return inflatingAnswers.tryAcquire(millis, TimeUnit.MILLISECONDS);
    }

    /** It has been decoded, or was found malformed. */
    public void endInflating() {
        inflatingAnswers.release();
    }

    private void freed(long bytes) {
        if (someoneWaits) {
            progress.addAndGet(bytes > STEP ? bytes : 0); // small ones come and go all the time
            if (!isOver()) {
                wake();
            }
        }
    }

    /**
     * What a connection holds.
     *
     * @param eventLoop of the connection
     * @param resume asks again for every body that waits, on the event loop
     */
    public Account open(EventLoop eventLoop, Runnable resume) {
        return new Account(eventLoop, resume);
    }

    /** All that wait ask again. */
    private synchronized void wake() {
        someoneWaits = false;
        for (Body body : bodies) {
            if (body.isWaiting) {
                body.isWaiting = false;
                body.account.resume();
            }
        }
    }

    /** Called with the lock, like the following. */
    private void choose() {
        if (chosen == null && isOver()) {
            Body next = largest();
            chosen = next;
            progress.set(STEP); // until the look after the next
            if (next != null) {
                next.account.resume();
            }
        }
    }

    private @Nullable Body largest() {
        return bodies.stream()
                .filter(body -> body.isIncomplete && !body.hasUnread())
                .max(Comparator.comparing((Body body) -> !body.hasBegun)
                        .thenComparingLong(body -> body.account.held.get())
                        .thenComparingLong(Body::bytes))
                .orElse(null);
    }

    private void watch() {
        if (!isWatching) {
            isWatching = true;
            inASecond.accept(this::look);
        }
    }

    /** Once a second while bodies wait. */
    private synchronized void look() {
        isWatching = false;
        if (!someoneWaits) {
            return;
        }
        boolean othersProgress =
                arrived.getAndSet(0) >= Math.max(1, Math.min(ENOUGH_PROGRESS, limit / PROGRESS_OF_LIMIT));
        boolean progresses = progress.getAndSet(0) >= STEP || othersProgress || isDecoded(chosen);
        if (isOver() && !progresses) {
            refuse();
            choose();
            progress.set(0);
        }
        watch();
        wake();
    }

    /** Whether it is a whole answer, which is decoded, or released after a while. */
    private static boolean isDecoded(@Nullable Body body) {
        return body != null && body.hasBegun && !body.isIncomplete;
    }

    private void refuse() {
        Body first = chosen;
        Body victim = first != null && first.isIncomplete ? first : largest();
        long excess = total.get() - 2 * limit;
        while (victim != null) {
            bodies.remove(victim);
            victim.account.run(victim::refuse);
            chosen = chosen == victim ? null : chosen;
            excess -= victim.bytes();
            victim = excess > 0 ? largest() : null;
        }
    }

    /** One connection. */
    public final class Account {

        private final EventLoop eventLoop;
        private final Runnable resume;
        private final AtomicLong held = new AtomicLong();
        private final AtomicBoolean resuming = new AtomicBoolean();
        private long headsHere;

        private Account(EventLoop eventLoop, Runnable resume) {
            this.eventLoop = eventLoop;
            this.resume = resume;
        }

        /**
         * A body begins.
         *
         * @param refuse ends it, on the event loop
         */
        public Body begin(Runnable refuse) {
            return new Body(this, refuse);
        }

        /** What all connections share. */
        public MemoryBudget budget() {
            return MemoryBudget.this;
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
            return isWithin || headsHere <= (all <= limit / 2 ? STEP : LEAST);
        }

        /** A request is complete, or its headers are not needed any more. */
        public void returnHead(int bytes) {
            headsHere -= bytes;
            heads.addAndGet(-bytes);
        }

        private void resume() {
            if (resuming.compareAndSet(false, true)) {
                run(() -> {
                    resuming.set(false);
                    resume.run();
                });
            }
        }

        private void run(Runnable task) {
            try {
                eventLoop.execute(task);
            } catch (RejectedExecutionException e) {
                log.debug("highway: the server stops: " + e);
            }
        }
    }

    /** One body: a message of a call, or all of them. */
    public final class Body {

        private final Account account;
        private final Runnable refuse;

        // guarded by this
        private long bytes;
        private boolean isReleased;

        /** Of its release. */
        private @Nullable Future<?> timer;

        /** The bytes of whole messages that are not read yet. */
        private final AtomicLong unread = new AtomicLong();

        private volatile boolean isIncomplete = true;
        private volatile boolean hasBegun;
        private volatile boolean isWaiting;

        private Body(Account account, Runnable refuse) {
            this.account = account;
            this.refuse = refuse;
        }

        /** Counts bytes that have arrived or were inflated. */
        public void add(long more) {
            long now = count(more);
            if (chosen == this) {
                progress.addAndGet(more);
            } else if (isWaiting) {
                arrived.addAndGet(more);
            }
            if (now > STEP && now - more <= STEP) {
                register();
            }
        }

        private void register() {
            synchronized (MemoryBudget.this) {
                if (!isReleased()) {
                    bodies.add(this);
                }
            }
        }

        private synchronized boolean isReleased() {
            return isReleased;
        }

        private synchronized long count(long more) {
            if (!isReleased) {
                long smallBefore = ofSmall();
                bytes += more;
                small.addAndGet(ofSmall() - smallBefore);
                account.held.addAndGet(more);
                total.addAndGet(more);
            }
            return bytes;
        }

        private long ofSmall() {
            return bytes <= STEP ? bytes : 0;
        }

        /** Discounts bytes that are no longer buffered. */
        public void remove(long fewer) {
            count(-fewer);
            freed(fewer);
        }

        /** How many of its bytes are buffered now. */
        public synchronized long bytes() {
            return bytes;
        }

        /** Whether more of it may be read; if not, it waits, and its connection resumes later. */
        public boolean mayGrow() {
            return mayGrow(bytes() <= STEP);
        }

        private boolean mayGrow(boolean isSmall) {
            if (unread.get() > limit / 8) {
                isWaiting = true; // before the second look: the last one may be read meanwhile
                return unread.get() == 0;
            }
            if (hasRoom(isSmall)) {
                return true;
            }
            synchronized (MemoryBudget.this) {
                await();
                choose();
                return chosen == this || hasRoom(isSmall);
            }
        }

        private void refuse() {
            if (isIncomplete) { // else it was completed meanwhile
                refuse.run();
            }
        }

        private boolean hasRoom(boolean isSmall) {
            return !isOver() || chosen == this || (isSmall && hasRoomForSmall());
        }

        private boolean hasRoomForSmall() {
            return small.get() <= limit / 8 || account.held.get() <= (isFarOver() ? LEAST : STEP);
        }

        /** Whether it is refused where it would have to wait: its peer sends on. */
        public boolean isTooMuch() {
            return isFarOver() && account.held.get() > STEP;
        }

        private void await() {
            register();
            isWaiting = true;
            someoneWaits = true;
            watch();
        }

        /**
         * Whether its message may be inflated now; if so, {@link #inflated} must follow, otherwise it waits.
         *
         * @param isSmall whether it takes at most {@link #STEP} bytes
         */
        public boolean mayInflate(boolean isSmall) {
            if (!mayGrow(isSmall)) {
                return false;
            }
            synchronized (MemoryBudget.this) {
                if (inflating < PROCESSORS) {
                    inflating++;
                    return true;
                }
                await();
                return false;
            }
        }

        /** Its message has been inflated, or was found malformed. */
        public void inflated() {
            synchronized (MemoryBudget.this) {
                inflating--;
            }
            if (someoneWaits) {
                wake();
            }
        }

        /** Whether a part of it is still to come, or to be inflated; true at first. */
        public void incomplete(boolean whether) {
            isIncomplete = whether;
        }

        /** A service has begun to read it, or it is an answer: it is refused after all others. */
        public void begun() {
            hasBegun = true;
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
            handOver();
            return whole;
        }

        /** Such a message was read. */
        public void taken(long message) {
            if (unread.addAndGet(-message) == 0 && isWaiting) {
                account.resume();
            }
            remove(message);
        }

        /** Whether whole messages of it are not read yet. */
        public boolean hasUnread() {
            return unread.get() > 0;
        }

        /** Another may grow instead of it. */
        private void handOver() {
            if (chosen == this) {
                synchronized (MemoryBudget.this) {
                    chosen = chosen == this ? null : chosen;
                    choose();
                }
            }
        }

        /** Nothing of it is buffered any more. May be called twice. */
        public void release() {
            long rest;
            Future<?> later;
            synchronized (this) {
                rest = bytes;
                count(-rest);
                isReleased = true;
                later = timer;
                timer = null;
            }
            if (later != null) {
                later.cancel(false); // it would keep the body until then
            }
            isIncomplete = false;
            synchronized (MemoryBudget.this) {
                bodies.remove(this);
            }
            freed(rest);
            handOver();
        }

        /**
         * It is whole, and its connection or stream may end before it is processed: what is more than a step counts for
         * another ten seconds, unless it is released before.
         */
        @SuppressWarnings("FutureReturnValueIgnored") // it may end with the process
        public void releaseLater() {
            isIncomplete = false;
            if (bytes() <= STEP) {
                release();
                return;
            }
            try {
                ScheduledFuture<?> later = account.eventLoop.schedule(() -> {}, KEPT_SECONDS, TimeUnit.SECONDS);
                synchronized (this) {
                    timer = later;
                }
                later.addListener(ended -> release()); // also if the server stops before
            } catch (RejectedExecutionException | OutOfMemoryError e) { // the process stops, or has no heap for it
                release();
            }
        }
    }
}
