// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy.source;

import io.highway.sdk.IslandResolver;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.internal.background.BackgroundTasks;
import io.highway.sdk.dubbo.internal.background.BackgroundTasks.RepeatedTask;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.PolicySourceSettings;
import io.highway.sdk.dubbo.internal.policy.source.Mailbox.Publication;
import io.highway.sdk.dubbo.internal.policy.source.PolicyState.Refusal;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.common.resource.Disposable;
import org.apache.dubbo.common.utils.LRUCache;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;

/**
 * The dynamic policy of one application: follows its source, and activates each good rule.
 *
 * <ol>
 *   <li>At start-up the first answer of the source counts, then the last good rule on disk, then the static
 *       configuration.
 *   <li>A rule with any error is refused as a whole; what is active stays.
 *   <li>No answer means that the rule is unknown, never that it is empty: what is active stays.
 *   <li>A rule is identified by its hash: one that is published again changes nothing, an older one is a rollback.
 *   <li>A rule that arrives while another waits replaces it.
 * </ol>
 *
 * <p>Thread-safe.
 */
public final class PolicyUpdater implements Disposable {

    private static final Logger log = LoggerFactory.getLogger(PolicyUpdater.class);

    /** The longest wait of start-up. A centre that answers later counts as it answers. */
    private static final int START_MILLIS = 3000;

    /** Rules whose return is logged as a rollback. */
    private static final int MAX_KNOWN = 100;

    private static final int MOST_FORMER = 1000;

    private static final long STOP_MILLIS = 1_000;

    private final ApplicationModel application;
    private final int waitMillis;
    private final long intervalMillis;
    private final Mailbox mailbox = new Mailbox();
    private final PolicyStateNotifier state = new PolicyStateNotifier(this::obstacle);
    private volatile boolean isClosed;

    // guarded by this until follow, then used by the follower only
    private @Nullable Policy initial;
    private @Nullable Policy staticPolicy;
    private @Nullable Policy present;
    private @Nullable IslandResolver resolver;
    private volatile @Nullable RuleSource source;
    private volatile @Nullable LastGoodRuleStore copy;
    private volatile @Nullable RepeatedTask follower;

    /** Why the copy on disk is not active, or null. */
    private @Nullable String unfit;

    /** Whether the last refusal is about this process and not about the rule, which may be good later. */
    private boolean isRefusalPassing;

    /** The islands of policies that were active. */
    private final Set<String> formerly = new HashSet<>();

    /** The versions of the rules that were active, by hash. */
    private final Map<String, String> known = new LRUCache<>(MAX_KNOWN);

    /** Called by Dubbo's bean factory; use {@link #of}. */
    public PolicyUpdater(ApplicationModel application) {
        this(application, START_MILLIS, ConfigCenterSource.INTERVAL_MILLIS);
    }

    /** @param waitMillis how long start-up waits for the first answer of the source */
    PolicyUpdater(ApplicationModel application, int waitMillis, long intervalMillis) {
        this.application = application;
        this.waitMillis = waitMillis;
        this.intervalMillis = intervalMillis;
    }

    /** The dynamic policy of an application. */
    public static PolicyUpdater of(ApplicationModel application) {
        return application.getBeanFactory().getOrRegisterBean(PolicyUpdater.class);
    }

    /** The static policy, or null until {@link #start}. */
    public synchronized @Nullable Policy configured() {
        return staticPolicy;
    }

    /** The state; the static configuration until {@link #start}. */
    public PolicyState state() {
        return state.shown();
    }

    private @Nullable String obstacle() {
        RuleSource from = source;
        return from == null ? null : from.problem();
    }

    /** Since when no change arrives, in seconds; 0 if changes arrive, or without a source. Seen when it is asked. */
    public long unfollowedSeconds() {
        return state.unfollowedSeconds();
    }

    /** Reports the present state, and every later one, one report at a time; another thread may do so. */
    public void onState(Consumer<PolicyState> listener) {
        state.add(listener);
    }

    /**
     * Starts to follow the source, once, and waits for its first answer at most three seconds.
     *
     * @param configured the static policy
     * @param ofKeys resolves a business key before {@code keys} does, or null if there is none
     * @return the policy to start with
     */
    public synchronized Policy start(Policy configured, @Nullable IslandResolver ofKeys) {
        if (initial == null) {
            staticPolicy = configured;
            present = configured;
            resolver = ofKeys;
            initial = first(configured);
        }
        return initial;
    }

    /**
     * Activates every later policy, in the background, one after another.
     *
     * @param swap activates a policy
     */
    public synchronized void follow(Consumer<Policy> swap) {
        if (follower == null && source != null && !isClosed) {
            RepeatedTask task = BackgroundTasks.of(application).repeat(() -> applyAll(swap));
            follower = task;
            mailbox.onPut(task::runSoon);
            task.runSoon();
        }
    }

    private Policy first(Policy configured) {
        PolicySourceSettings from = configured.origin().source();
        RuleSource opened = open(from);
        if (opened == null) {
            return configured;
        }
        source = opened;
        String name = Objects.requireNonNullElse(application.tryGetApplicationName(), "unknown");
        LastGoodRuleFile kept = new LastGoodRuleFile(from.directory(), name, configured.home(), opened.identity());
        copy = new LastGoodRuleStore(kept, BackgroundTasks.of(application));
        opened.start(mailbox);
        Publication answer = mailbox.poll(waitMillis);
        if (answer instanceof Publication.Content content && !content.text().isBlank()) {
            PolicyRule rule = accept(content, any -> {});
            return rule != null ? rule.policy() : fromDisk(configured, kept, "the published rule was refused");
        }
        String why = answer == null ? opened.name() + " did not answer within " + waitMillis + " ms" : answer.reason();
        return fromDisk(configured, kept, why);
    }

    private @Nullable RuleSource open(PolicySourceSettings from) {
        return switch (from.kind()) {
            case NONE -> null;
            case FILE -> new FileSource(Objects.requireNonNull(from.file()), BackgroundTasks.of(application));
            case DEFAULT -> ConfigCenterSource.isConfigured(application) ? center() : null;
            case CONFIG_CENTER -> center();
        };
    }

    private RuleSource center() {
        return new ConfigCenterSource(application, waitMillis, intervalMillis, BackgroundTasks.of(application));
    }

    private Policy fromDisk(Policy configured, LastGoodRuleFile kept, String why) {
        String text = kept.load();
        if (text == null) {
            log.info("highway: no dynamic policy (" + why + "; none in " + kept.file()
                    + "); the static configuration is active");
            if (why.equals(Publication.Content.BLANK)) {
                state.set(state.get().notFollowed(why));
            }
            return configured;
        }
        Refusal refusalOfSource = state.get().refusal();
        try {
            PolicyRule rule = read(text, configured, "disk");
            PolicyState now = state.get().active(rule.version(), rule.hash(), "disk");
            state.set(refusalOfSource == null ? now.notFollowed(why) : now.refused(refusalOfSource));
            known.put(rule.hash(), rule.version());
            log.warn("highway: policy " + rule.version() + " is active, the last good one, from " + kept.file() + ": "
                    + why);
            logChanges(rule.policy());
            return rule.policy();
        } catch (HighwayConfigurationException e) {
            log.warn("highway: the last good policy in " + kept.file() + " does not fit the static configuration, which"
                    + " is active: " + e.getMessage()
                    + (e.origin() == null ? "" : " (" + e.origin() + ")") + " (" + why + ")");
            unfit = "the last good policy in " + kept.file() + " does not fit the static configuration: " + e.key();
            state.set(state.get().notFollowed(unfit));
            return configured;
        }
    }

    private long applyAll(Consumer<Policy> swap) {
        for (Publication next = mailbox.take(); next != null; next = mailbox.take()) {
            try {
                apply(next, swap);
            } catch (RuntimeException | Error e) { // the next one may be good
                log.error("highway: a published policy was not applied: " + e, e);
                state.set(state.get().notFollowed("a published policy was not applied: " + e));
            }
        }
        copy().retry();
        return RepeatedTask.ON_REQUEST;
    }

    private LastGoodRuleStore copy() {
        return Objects.requireNonNull(copy);
    }

    private void apply(Publication next, Consumer<Policy> swap) {
        if (next instanceof Publication.Deleted deletion) {
            deleted(deletion);
        } else if (next instanceof Publication.Content content) {
            String text = content.text();
            String hash = PolicyRule.hash(text);
            Refusal refusal = state.get().refusal();
            if (text.isBlank()) {
                if (state.change(state.get().withoutRule(content.reason()))) {
                    log.warn("highway: the rule at " + content.source() + " is blank, which says nothing; policy "
                            + state.get().version() + " stays active. To return to the static configuration, publish"
                            + " use-static: true");
                }
            } else if (hash.equals(state.get().hash())) {
                confirmed(content);
            } else if (isRefusalPassing
                    || refusal == null
                    || !state.get().isRefused()
                    || !hash.equals(refusal.hash())) {
                accept(content, swap);
            } else {
                state.change(state.get().notFollowed(null)); // it was refused before, and is what the source has
            }
        } // an unknown answer changes nothing
    }

    private void confirmed(Publication.Content content) {
        if (state.change(state.get().confirmed(content.source()))) {
            copy().keep(content); // it names its key
            log.info("highway: policy " + state.get().version() + ", which is active, is published at "
                    + content.source());
        }
    }

    private void deleted(Publication.Deleted deletion) {
        boolean isFile =
                Objects.requireNonNull(staticPolicy).origin().source().kind() == PolicySourceSettings.Kind.FILE;
        String sourceName = Objects.requireNonNull(source).name();
        if (state.get().hash() == null) { // there has been no rule, or none that was accepted
            state.change(state.get().withoutRule(isFile ? "there is no " + sourceName : unfit));
        } else if (state.change(state.get().withoutRule(deletion.reason()))) {
            log.warn("highway: the rule " + RuleYaml.NAME + " was deleted at " + sourceName + "; policy "
                    + state.get().version() + " stays active. To return to the static configuration, publish"
                    + " use-static: true");
        }
    }

    /** Activates a rule, or refuses it; null if it is refused. */
    private @Nullable PolicyRule accept(Publication.Content content, Consumer<Policy> swap) {
        String from = content.source();
        PolicyState before = state.get();
        try {
            PolicyRule rule = read(content.text(), Objects.requireNonNull(staticPolicy), from);
            swap.accept(rule.policy());
            state.set(before.active(rule.version(), rule.hash(), from));
            copy().keep(content);
            unfit = null;
            log.info("highway: policy " + rule.version() + " accepted from " + from + " (hash "
                    + PolicyRule.shortHash(rule.hash()) + (known.containsKey(rule.hash()) ? ", a rollback" : "")
                    + "), before: " + before.version());
            known.put(rule.hash(), rule.version());
            logChanges(rule.policy());
            return rule;
        } catch (HighwayConfigurationException e) {
            refuse(content, e.key(), e.origin(), e.problem() + ". " + e.action());
        } catch (RuntimeException | Error e) {
            refuse(content, RuleYaml.NAME, null, "it cannot be activated: " + e);
            isRefusalPassing = !(e instanceof VirtualMachineError); // such as too little memory
        }
        return null;
    }

    private PolicyRule read(String text, Policy configured, String from) {
        return PolicyRule.read(
                text, configured.settings(), configured.origin().dictionaries(), resolver, from, formerly);
    }

    private void logChanges(Policy next) {
        Policy before = Objects.requireNonNull(present);
        if (formerly.size() < MOST_FORMER) {
            formerly.addAll(next.knownIslands());
        }
        present = next;
        PolicyDiff.log(before, next, follower == null);
    }

    private void refuse(Publication.Content content, String key, @Nullable String origin, String reason) {
        String text = content.text();
        Refusal refusal =
                new Refusal(PolicyRule.versionOf(text), PolicyRule.hash(text), key, origin, reason, System.nanoTime());
        state.set(state.get().refused(refusal));
        isRefusalPassing = false;
        log.warn("highway: policy " + refusal.version() + " from " + content.source() + " refused: " + key + ": "
                + reason + (origin == null ? "" : " (" + origin + ")") + "; policy "
                + state.get().version()
                + " stays active");
    }

    /** Stops to follow the source. Waits shortly for a swap and for a write in progress. */
    @Override
    public void destroy() {
        isClosed = true;
        RuleSource from = source;
        if (from != null) {
            from.close();
        }
        mailbox.close();
        RepeatedTask following = follower;
        if (following != null) {
            following.finish(STOP_MILLIS);
        }
        LastGoodRuleStore kept = copy;
        if (kept != null) {
            kept.close(STOP_MILLIS);
        }
    }
}
