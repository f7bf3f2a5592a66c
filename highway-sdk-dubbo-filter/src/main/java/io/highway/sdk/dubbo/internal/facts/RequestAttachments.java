// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.facts;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The attachments of a request that are facts: those of this SDK, and those that Dubbo reads. */
final class RequestAttachments {

    private static final String OWN_PREFIX = "highway-";

    /** More than any application has; what Dubbo keeps of each is much larger than its bytes. */
    private static final int MOST = 4096;

    /** In lower case, since {@code RpcInvocation.getObjectAttachment} looks for a name in lower case, too. */
    private static final Set<String> OF_DUBBO = Set.of(
            "_to",
            "application",
            "async",
            "callback.service.instid",
            "consumer",
            "dubbo",
            "dubbo.force.tag",
            "dubbo.stub.event",
            "dubbo.stub.event.methods",
            "dubbo.tag",
            "generic",
            "group",
            "id",
            "input",
            "interface",
            "invocationid.autoattach",
            "output",
            "path",
            "remote.application",
            "return",
            "timeout",
            "timeout-countdown",
            "token",
            "tri-service-group",
            "tri-service-version",
            "version");

    private final Set<String> keys = new HashSet<>();
    private final Map<String, String> facts = new HashMap<>();

    /** Whether this key, which comes once only, has a value that is read. */
    boolean isFact(String key) {
        if (!keys.add(key)) {
            throw new UnreadableRequestException("an attachment occurs twice");
        }
        if (keys.size() > MOST) {
            throw new UnreadableRequestException("more than " + MOST + " attachments");
        }
        return isOwn(key) || OF_DUBBO.contains(key.toLowerCase(Locale.ROOT));
    }

    static boolean isOwn(String key) {
        return key.regionMatches(true, 0, OWN_PREFIX, 0, OWN_PREFIX.length());
    }

    void put(String key, @Nullable String value) {
        if (value != null) {
            facts.put(key, value);
        }
    }

    Map<String, String> facts() {
        return Map.copyOf(facts);
    }
}
