// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.route;

import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.Island;
import io.highway.sdk.IslandId;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.Intent;
import io.highway.sdk.dubbo.IntentSource;
import io.highway.sdk.dubbo.internal.policy.Suggestions;
import io.highway.sdk.internal.Texts;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.dubbo.common.URL;
import org.jspecify.annotations.Nullable;

/** The parameters {@code highway-island} and {@code highway-when} of a reference. */
final class ReferenceParameters {

    static final String WHEN = "highway-when";

    private static final String PREFIX = "highway";
    private static final List<String> KNOWN = List.of(HighwayAttachments.ISLAND, WHEN);

    private ReferenceParameters() {}

    /**
     * The intent of the parameters, or null if there is none.
     *
     * @throws HighwayConfigurationException if a parameter is unknown or its value is not allowed
     */
    static @Nullable Intent read(URL consumerUrl) {
        String service = consumerUrl.getServiceInterface();
        Map<String, String> ours = new TreeMap<>(consumerUrl.getParameters()); // in a fixed order
        ours.keySet().removeIf(name -> !isOurs(name));
        ours.keySet().forEach(name -> requireKnown(name, service));
        String island = ours.get(HighwayAttachments.ISLAND);
        String when = ours.get(WHEN);
        if (island == null) {
            if (when != null) {
                throw new HighwayConfigurationException(
                        where(HighwayAttachments.ISLAND, service),
                        "missing, though " + WHEN + " is set",
                        "Write both, or remove " + WHEN);
            }
            return null;
        }
        if (!IslandId.isValid(island)) {
            throw new HighwayConfigurationException(
                    where(HighwayAttachments.ISLAND, service),
                    Texts.islandProblem("island", island),
                    "Write the island's id");
        }
        return Intent.of(IntentSource.REFERENCE, island, when(when, service));
    }

    /**
     * Whether a parameter's name is one of the SDK's or similar to it: {@code highway-iland}, {@code highway.island},
     * {@code highwayIsland}, and {@code send.highway-island}, as Dubbo writes a parameter of one method.
     */
    private static boolean isOurs(String name) {
        String last = name.substring(name.indexOf('.') + 1);
        return startsAsOurs(name) || startsAsOurs(last);
    }

    private static boolean startsAsOurs(String name) {
        if (!name.regionMatches(true, 0, PREFIX, 0, PREFIX.length())) {
            return false;
        }
        return name.length() == PREFIX.length()
                || !isLowerCaseOrDigit(name.charAt(PREFIX.length()))
                || KNOWN.stream().anyMatch(known -> plain(known).equals(plain(name)));
    }

    /** Whether the name of a client attachment is similar to those of the SDK, and none that a request may have. */
    static boolean isMisspelt(String name) {
        return startsAsOurs(name)
                && !name.equalsIgnoreCase(HighwayAttachments.FROM)
                && !name.equalsIgnoreCase(HighwayAttachments.SIGN);
    }

    private static boolean isLowerCaseOrDigit(char c) {
        return Character.isLowerCase(c) || Character.isDigit(c);
    }

    private static void requireKnown(String name, String service) {
        if (KNOWN.contains(name)) {
            return;
        }
        String ofMethod = name.substring(name.indexOf('.') + 1);
        if (KNOWN.contains(ofMethod)) {
            throw new HighwayConfigurationException(
                    where(name, service),
                    "a method's parameters are not read",
                    "Write @Island on the method of the service's interface");
        }
        String plain = plain(name);
        String hint = KNOWN.stream()
                .filter(known -> plain(known).equals(plain))
                .findFirst()
                .map(known -> "Did you mean \"" + known + "\"?")
                .orElseGet(() -> Suggestions.hintOrList(name, KNOWN));
        throw new HighwayConfigurationException(where(name, service), "there is no such parameter", hint);
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    private static Island.When when(@Nullable String when, String service) {
        if (when == null) {
            return Island.When.ALWAYS;
        }
        return switch (when.toLowerCase(Locale.ROOT)) {
            case "always" -> Island.When.ALWAYS;
            case "home-absent" -> Island.When.HOME_ABSENT;
            default ->
                throw new HighwayConfigurationException(
                        where(WHEN, service),
                        "\"" + Texts.printable(when) + "\" is not allowed; allowed: always, home-absent",
                        "Write one of them");
        };
    }

    private static String where(String name, String service) {
        return "reference parameter " + Texts.printable(name) + " of " + service;
    }
}
