// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import io.highway.sdk.dubbo.internal.policy.GuardRule.Action;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.dubbo.common.utils.ClassUtils;

/** Valid {@code guard.*} keys that do not do what their author may expect; sentences without a full stop. */
public final class GuardWarnings {

    private static final String RULES = HighwayKeys.PREFIX + HighwayKeys.RULES;

    private GuardWarnings() {}

    /** Those that depend on the configuration alone. */
    public static List<String> of(GuardPolicy guard, SigningKeys signing) {
        List<String> warnings = new ArrayList<>();
        boolean demandsSignature = !signing.accepted().isEmpty();
        if (!guard.restrictsIngress()
                && (demandsSignature
                        || !guard.rules().isEmpty()
                        || guard.callers().refusesUnknown())) {
            warnings.add((demandsSignature
                            ? "highway.sign.accept.* demands signatures"
                            : guard.rules().isEmpty()
                                    ? "highway.guard.unknown-callers is refuse"
                                    : "highway.guard.rules.* are set")
                    + ", and a call without route headers passes as a call from home, from any peer; write"
                    + " highway.guard.gateways with the addresses of the gateways, or highway.guard.home with those of"
                    + " the callers at home");
        }
        if (!guard.gatewayNames().isEmpty() && guard.require() == GuardPolicy.Requirement.NOTHING) {
            warnings.add("highway.guard.gateways has names (" + String.join(", ", guard.gatewayNames())
                    + "), and highway.guard.home is not set: a gateway passes as home until its name is resolved, and with a"
                    + " new address until DNS and this process's cache of it have the address; write highway.guard.home,"
                    + " highway.guard.require, or addresses");
        }
        if (guard.isShadow()) {
            warnings.add(
                    "highway.guard.mode is shadow: ingress, rules and rates refuse nothing; write enforce once what"
                            + " they report is what shall be refused");
        }
        if (demandsSignature) {
            addUnproven(warnings, guard, signing);
        }
        return warnings;
    }

    private static void addUnproven(List<String> warnings, GuardPolicy guard, SigningKeys signing) {
        String advice = "no key proves it; write " + HighwayKeys.PREFIX + "sign.accept-from.<key-id> with the island";
        Predicate<CallerPattern> isUnproven = pattern -> signing.accepted().values().stream()
                .noneMatch(key -> pattern.isProvenBy(key.from() == null ? List.of() : key.from()));
        guard.rules().stream().filter(rule -> rule.action() == Action.ALLOW).forEach(rule -> rule.from().stream()
                .filter(isUnproven)
                .forEach(pattern -> warnings.add(RULES + rule.name() + ".from: \"" + pattern
                        + "\" matches nobody, because " + advice
                        + (pattern.isAnyApplication()
                                ? " without a star, such as zhejiang/*"
                                : " and the application without a star, such as zhejiang/shop"))));
        guard.callers().owners().stream()
                .map(CallerOwner::callers)
                .filter(isUnproven)
                .forEach(pattern -> warnings.add(HighwayKeys.PREFIX + HighwayKeys.CALLERS + pattern
                        + ".owner is for nobody, because " + advice
                        + " and the application without a star, such as zhejiang/shop, or register zhejiang/*"));
    }

    /** Those about a service that this process exports. */
    @SuppressWarnings("unchecked") // the array of no filters
    public static List<String> of(GuardPolicy guard, String interfaceName, Class<?> type) {
        if (guard.rules().isEmpty()) {
            return List.of();
        }
        List<String> warnings = new ArrayList<>();
        Set<String> methods = new TreeSet<>(
                Arrays.stream(type.getMethods()).map(Method::getName).toList());
        Set<Class<?>> inherited = ClassUtils.getAllInterfaces(type);
        for (GuardRule rule : guard.rules()) {
            String key = RULES + rule.name() + ".to";
            warnings.addAll(rule.to().problems(key, interfaceName, methods));
            for (String pattern : rule.to().patterns()) {
                int hash = pattern.indexOf('#');
                String named = pattern.substring(0, Math.max(hash, 0));
                if (inherited.stream().anyMatch(parent -> parent.getName().equals(named))) {
                    warnings.add(key + ": \"" + pattern + "\" names a super-interface of " + interfaceName
                            + ", and rules match the exported interface only; write " + interfaceName
                            + pattern.substring(hash) + ", too");
                }
            }
        }
        return warnings;
    }

    /** Those about Dubbo's {@code MetadataService}. */
    public static List<String> ofMetadata(GuardPolicy guard) {
        return guard.home() == null && !guard.knowsGateways() && guard.require() != GuardPolicy.Requirement.NOTHING
                ? List.of(
                        "highway.guard.require is " + guard.require() + ", and highway.guard.home is not set: consumers"
                                + " at home that find services by application are refused, too, because they ask Dubbo's"
                                + " MetadataService of this process without route headers; write highway.guard.home with"
                                + " their addresses")
                : List.of();
    }
}
