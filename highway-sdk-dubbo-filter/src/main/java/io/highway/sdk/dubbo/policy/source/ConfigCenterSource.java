// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.policy.source;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.dubbo.common.config.ConfigurationUtils;
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
 * A rule in Dubbo's config centre: key {@code highway.policy}, group {@code dubbo}.
 *
 * <ol>
 *   <li>The listener is added before the read, so that no change is lost between them.
 *   <li>A read that answers null may have found nothing or may have failed: the answer is unknown.
 *   <li>The rule is read again from time to time: Dubbo's ZooKeeper client notifies only the first application of a
 *       process, a read may have failed, and a read without an answer tells that the centre is gone.
 *   <li>If Dubbo started without its config centre ({@code config-center.check=false}), it never connects to it again;
 *       this class then connects.
 * </ol>
 */
final class ConfigCenterSource implements RuleSource, ConfigurationListener {

    private static final Logger log = LoggerFactory.getLogger(ConfigCenterSource.class);
    private static final String KEY = RuleText.NAME;
    private static final String GROUP = DynamicConfiguration.DEFAULT_GROUP;

    /** Between reads, and between attempts to connect. */
    static final long INTERVAL_MILLIS = 30_000;

    private static final long LEAST_READ_MILLIS = 1_000;

    private final ApplicationModel application;
    private final long readMillis;
    private final long intervalMillis;
    private final Thread thread;
    private volatile boolean hasRule;
    private volatile boolean isClosed;
    private volatile @Nullable String problem;
    private volatile @Nullable Mailbox mailbox;
    private @Nullable DynamicConfiguration followed;
    private @Nullable DynamicConfiguration opened;

    ConfigCenterSource(ApplicationModel application, long waitMillis, long intervalMillis) {
        this.application = application;
        this.readMillis = Math.max(LEAST_READ_MILLIS, waitMillis);
        this.intervalMillis = intervalMillis;
        this.thread = new Thread(this::run, "highway-policy-center");
        thread.setDaemon(true);
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
        return "config-center";
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
                        + " " + url.getParameter("namespace", "") + " " + GROUP + "/" + KEY)
                .sorted()
                .collect(Collectors.joining("; "));
    }

    @Override
    public @Nullable String problem() {
        return problem;
    }

    @Override
    public void start(Mailbox box) {
        this.mailbox = box;
        thread.start();
    }

    @Override
    public void process(ConfigChangedEvent event) {
        Mailbox box = mailbox;
        if (box != null && KEY.equals(event.getKey()) && !isClosed) { // Apollo reports all keys
            hasRule = event.getContent() != null;
            box.changed(event.getContent()); // the type of the event says nothing reliable
        }
    }

    private void run() {
        Mailbox box = mailbox;
        if (box == null) {
            return;
        }
        try {
            while (!isClosed && !isFollowed(box)) {
                Thread.sleep(intervalMillis);
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    /** Connects and follows until there is nothing left to do; false if that failed, and is to be tried again. */
    private boolean isFollowed(Mailbox box) throws InterruptedException {
        try {
            DynamicConfiguration center = connected(application);
            if (center == null) {
                center = opened != null ? opened : connect(box); // opened by an attempt that failed
            }
            if (center != null) {
                follow(center, box);
            }
            return true;
        } catch (RuntimeException | Error e) {
            String why = "the policy in the config centre cannot be followed: " + e;
            if (!isClosed && !why.equals(problem)) {
                problem = why;
                box.unknown(why);
                log.warn("highway: " + why + "; the SDK tries again every " + intervalMillis / 1000 + " s", e);
            }
            return false;
        }
    }

    private void follow(DynamicConfiguration center, Mailbox box) throws InterruptedException {
        synchronized (this) {
            if (isClosed) {
                return;
            }
            followed = center;
        }
        center.addListener(KEY, GROUP, this);
        problem = null;
        while (!isClosed) {
            int before = box.events();
            String text = read(center);
            if (text != null && !text.isBlank()) {
                hasRule = true;
                answered(true);
                box.read(text, before);
            } else {
                answered(!hasRule || box.events() != before); // a rule that came meanwhile was not asked for
                box.unknown("the config centre has no rule " + KEY + " in the group " + GROUP + ", or does not answer");
            }
            Thread.sleep(intervalMillis);
        }
    }

    /** A rule that was there, and whose deletion was not reported, was not read. */
    private void answered(boolean isAnswer) {
        if (isAnswer && problem != null) {
            log.info("highway: the config centre answers again for the policy");
        } else if (!isAnswer && problem == null) {
            log.warn("highway: the config centre does not answer for the policy, which stays in force");
        }
        problem = isAnswer ? null : "the config centre does not answer, or has lost the rule";
    }

    private @Nullable String read(DynamicConfiguration center) {
        try {
            return center.getConfig(KEY, GROUP, readMillis);
        } catch (RuntimeException e) {
            log.info("highway: the config centre does not answer for the policy: " + e);
            return null;
        }
    }

    /** Connects to a config centre that Dubbo gave up at start-up; null if there is none. */
    private @Nullable DynamicConfiguration connect(Mailbox box) throws InterruptedException {
        Collection<ConfigCenterConfig> lost = centers(application);
        if (lost.isEmpty()) {
            String none = "the application has no config centre";
            problem = none;
            box.unknown(none);
            log.warn("highway: highway.policy.source is config-center, and " + none
                    + "; write dubbo.config-center.address, or highway.policy.source=none");
            return null;
        }
        String addresses = String.join(
                ", ", lost.stream().map(ConfigCenterConfig::getAddress).toList());
        String notConnected = "Dubbo started without its config centre " + addresses
                + " (config-center.check=false) and does not connect to it again";
        problem = notConnected + "; the SDK tries every " + intervalMillis / 1000 + " s";
        box.unknown(notConnected);
        log.warn("highway: " + notConnected + ": Dubbo's own rules need a restart when it is back. The SDK tries every "
                + intervalMillis / 1000 + " s to connect for " + KEY + ". With Nacos, write ?nacos.check=false at the"
                + " address instead of config-center.check=false: then Dubbo connects later");
        while (!isClosed) {
            Thread.sleep(intervalMillis);
            for (ConfigCenterConfig one : lost) {
                DynamicConfiguration center = connect(one);
                if (center != null) {
                    problem = null;
                    return center;
                }
            }
        }
        return null;
    }

    private @Nullable DynamicConfiguration connect(ConfigCenterConfig one) {
        try {
            DynamicConfiguration center = ConfigurationUtils.getDynamicConfigurationFactory(
                            application, one.getProtocol())
                    .getDynamicConfiguration(one.toUrl());
            synchronized (this) {
                opened = center;
            }
            log.info("highway: connected to the config centre " + one.getAddress() + ": " + KEY
                    + " is followed; Dubbo's own rules still need a restart");
            return center;
        } catch (RuntimeException e) {
            log.info("highway: the config centre " + one.getAddress() + " still does not answer: " + e);
            return null;
        }
    }

    @Override
    public void close() {
        isClosed = true;
        thread.interrupt();
        DynamicConfiguration center;
        DynamicConfiguration own;
        synchronized (this) {
            center = followed;
            own = opened;
        }
        try {
            if (center != null) {
                center.removeListener(KEY, GROUP, this);
            }
            if (own != null) {
                own.close();
            }
        } catch (Exception e) { // declared by close; Dubbo may have closed it
            log.debug("highway: the config centre is closed already: " + e);
        }
    }
}
