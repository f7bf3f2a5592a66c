// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy.source;

import io.highway.sdk.dubbo.internal.background.BackgroundTasks;
import io.highway.sdk.dubbo.internal.background.BackgroundTasks.RepeatedTask;
import io.highway.sdk.dubbo.internal.files.SlowReadWatch;
import io.highway.sdk.dubbo.internal.policy.source.Mailbox.Publication;
import io.highway.sdk.internal.Texts;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.dubbo.common.config.configcenter.ConfigChangedEvent;
import org.apache.dubbo.common.config.configcenter.ConfigurationListener;
import org.apache.dubbo.common.config.configcenter.DynamicConfiguration;
import org.apache.dubbo.common.config.configcenter.wrapper.CompositeDynamicConfiguration;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.config.ConfigCenterConfig;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;

/**
 * A rule in Dubbo's config centre, group {@code dubbo}: that of the application, key
 * {@code highway.policy.<application>}, or the common one, key {@code highway.policy}.
 *
 * <ol>
 *   <li>The application's rule counts as a whole. Only where it is certainly absent the common one counts; what is
 *       unknown changes nothing.
 *   <li>The listener is added before the read, so that no change is lost between them.
 *   <li>The rules are read again from time to time: Dubbo's ZooKeeper client notifies only the first application of a
 *       process, a read may have failed, and a read without an answer tells that the centre is gone.
 *   <li>If Dubbo started without its config centre ({@code config-center.check=false}), it never connects to it again:
 *       no change arrives until the application restarts, which the log and the reports say.
 * </ol>
 */
final class ConfigCenterSource implements RuleSource, ConfigurationListener {

    private static final Logger log = LoggerFactory.getLogger(ConfigCenterSource.class);

    /** What config centres take as part of a key; ZooKeeper takes a slash as a path, Nacos refuses all else. */
    private static final Pattern NAME_IN_KEY = Pattern.compile("[A-Za-z0-9._-]+");

    /** Between reads. */
    static final long INTERVAL_MILLIS = 30_000;

    private static final long LEAST_READ_MILLIS = 1_000;

    private final ApplicationModel application;
    private final long readMillis;

    private final long intervalMillis;
    private final RepeatedTask task;
    private final Key common = new Key(RuleYaml.NAME, "config-center");

    /** The application's; the common one if its name cannot be part of a key. */
    private final Key own;

    private volatile boolean isClosed;
    private volatile @Nullable String problem;

    /** A read that takes twice as long as it may has no answer. */
    private final SlowReadWatch reading;

    private volatile @Nullable Mailbox mailbox;
    private @Nullable DynamicConfiguration followed;

    /** Whether there are several centres, each of which reports events. */
    private boolean hasSeveral;

    /** Whether the listener is added. Used by the task only. */
    private boolean isListening;

    /** A key and what is known of it; guarded by the source. */
    private static final class Key {

        final String name;
        final String source;

        /** Null until the first. */
        @Nullable
        Publication answer;

        /** Why the last read had no answer, or null. */
        @Nullable
        String problem;

        int events;

        Key(String name, String source) {
            this.name = name;
            this.source = source;
        }
    }

    ConfigCenterSource(ApplicationModel application, long waitMillis, long intervalMillis, BackgroundTasks tasks) {
        this.application = application;
        this.own = own(Objects.requireNonNullElse(application.tryGetApplicationName(), ""));
        this.readMillis = Math.max(LEAST_READ_MILLIS, waitMillis);
        this.reading = new SlowReadWatch(2 * readMillis);
        this.intervalMillis = intervalMillis;
        this.task = tasks.repeat(this::follow);
    }

    private Key own(String name) {
        if (!NAME_IN_KEY.matcher(name).matches()) {
            log.info("highway: the application's name " + Texts.printable(name)
                    + " cannot be part of a key in a config centre: only the common rule " + common.name
                    + " is followed");
            return common;
        }
        String key = common.name + "." + name;
        return new Key(key, common.source + ":" + key);
    }

    private List<Key> keys() {
        return own == common ? List.of(common) : List.of(common, own);
    }

    /** Whether the application has a config centre; a registry may be used as one. */
    static boolean isConfigured(ApplicationModel application) {
        return !centers(application).isEmpty() || connected(application) != null;
    }

    private static Collection<ConfigCenterConfig> centers(ApplicationModel application) {
        return application.getApplicationConfigManager().getConfigCenters().stream()
                .filter(ConfigCenterConfig::isValid)
                .toList();
    }

    /** Dubbo's config centre, or null if Dubbo is connected to none. */
    private static @Nullable DynamicConfiguration connected(ApplicationModel application) {
        return application
                .modelEnvironment()
                .getDynamicConfiguration()
                .filter(center -> !(center instanceof CompositeDynamicConfiguration composite)
                        || !composite.getInnerConfigurations().isEmpty())
                .orElse(null);
    }

    @Override
    public String name() {
        return common.source;
    }

    /** Without user names and passwords. */
    @Override
    public String identity() {
        return centers(application).stream()
                .map(one -> one.toUrl())
                .map(url -> url.getProtocol() + " "
                        + String.join(
                                ",",
                                new TreeSet<>(List.of(url.getBackupAddress().split(","))))
                        + " " + url.getParameter("namespace", "") + " " + ConfigCenterReader.GROUP + "/" + common.name)
                .sorted()
                .collect(Collectors.joining("; "));
    }

    @Override
    public @Nullable String problem() {
        String known = problem;
        return known == null && reading.isSlow() ? "the config centre does not answer" : known;
    }

    @Override
    public void start(Mailbox box) {
        this.mailbox = box;
        task.runSoon();
    }

    @Override
    public void process(ConfigChangedEvent event) {
        String text = event.getContent(); // the type of the event says nothing reliable
        for (Key key : keys()) {
            if (key.name.equals(event.getKey()) && !isClosed) { // Apollo reports all keys
                synchronized (this) {
                    if (hasSeveral) { // another centre may have the rule: all are read
                        task.runSoon();
                        return;
                    }
                    key.events++;
                    key.problem = null;
                    key.answer = text == null ? new Publication.Deleted() : new Publication.Content(text, key.source);
                    report();
                }
            }
        }
    }

    /**
     * Reports the rule that counts, once it is known, and whether the centre answers. The caller holds the lock, so that
     * the last report is the newest.
     */
    private void report() {
        String why = common.problem == null ? own.problem : common.problem;
        if (why == null && problem != null) {
            log.info("highway: the config centre answers again for the policy");
        } else if (why != null && problem == null) {
            log.warn("highway: the policy stays active, since " + why);
        }
        problem = why;
        Mailbox box = mailbox;
        Publication answer = own.answer instanceof Publication.Deleted ? common.answer : own.answer;
        if (box != null && answer != null) {
            box.put(answer);
        }
    }

    /** Goes as far as it can: connects, listens, reads. Returns the delay until it does so again. */
    private long follow() {
        Mailbox box = Objects.requireNonNull(mailbox);
        try {
            DynamicConfiguration center = isListening ? followed : connected(application);
            if (center == null) {
                reportNone(box);
                return RepeatedTask.ON_REQUEST;
            }
            if (isListening || listen(center)) {
                keys().forEach(key -> read(key, center));
                synchronized (this) {
                    report();
                }
            }
        } catch (RuntimeException | Error e) {
            isListening = false;
            String why = "the policy in the config centre cannot be followed: " + e;
            if (!isClosed && !why.equals(problem)) {
                problem = why;
                box.put(new Publication.Unknown(why));
                log.warn("highway: " + why + "; the SDK tries again every " + intervalMillis / 1000 + " s", e);
            }
        }
        return intervalMillis;
    }

    /** False if the source is closed. */
    private boolean listen(DynamicConfiguration center) {
        synchronized (this) {
            if (isClosed) {
                return false;
            }
            followed = center;
            hasSeveral = center instanceof CompositeDynamicConfiguration composite
                    && composite.getInnerConfigurations().size() > 1;
        }
        keys().forEach(key -> center.addListener(key.name, ConfigCenterReader.GROUP, this));
        problem = null;
        isListening = true;
        return true;
    }

    private void read(Key key, DynamicConfiguration center) {
        int before;
        synchronized (this) {
            before = key.events;
        }
        Publication answer = null;
        String why = null;
        reading.begin();
        try {
            answer = ConfigCenterReader.read(center, key.name, key.source, readMillis);
        } catch (RuntimeException e) {
            why = "the config centre does not answer: " + e;
        } finally {
            reading.end();
        }
        synchronized (this) {
            if (key.events != before) {
                return; // a change that was reported meanwhile may be newer
            }
            if (answer instanceof Publication.Unknown && key.answer instanceof Publication.Content) {
                why = "the config centre does not answer, or has lost " + key.name;
            }
            key.problem = why;
            if (why != null) {
                key.answer = key.answer == null ? new Publication.Unknown(why) : key.answer;
            } else if (answer instanceof Publication.Unknown
                    && key != common
                    && common.problem == null
                    && common.answer instanceof Publication.Content) {
                key.answer = new Publication.Deleted(); // it answers for the common one, and never did for this
            } else {
                key.answer = answer;
            }
        }
    }

    private void reportNone(Mailbox box) {
        String lost = centers(application).stream()
                .map(one -> one.toUrl().getBackupAddress())
                .collect(Collectors.joining(", "));
        String why = lost.isEmpty()
                ? "the application has no config centre"
                : "Dubbo started without its config centre " + lost
                        + " (config-center.check=false) and does not connect to it again";
        problem = why;
        box.put(new Publication.Unknown(why));
        log.warn(
                lost.isEmpty()
                        ? "highway: highway.policy.source is config-center, and " + why
                                + "; write dubbo.config-center.address, or highway.policy.source=none"
                        : "highway: " + why + ": restart the application when it is back. With Nacos, write"
                                + " ?nacos.check=false at the address instead of config-center.check=false: then Dubbo"
                                + " connects later");
    }

    @Override
    public void close() {
        DynamicConfiguration center;
        synchronized (this) {
            isClosed = true;
            center = followed;
        }
        task.close();
        if (center != null) {
            try {
                keys().forEach(key -> center.removeListener(key.name, ConfigCenterReader.GROUP, this));
            } catch (RuntimeException e) {
                log.debug("highway: the config centre is closed already: " + e);
            }
        }
    }
}
