// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import io.highway.sdk.internal.Texts;
import org.jspecify.annotations.Nullable;

/**
 * A {@code highway.*} key whose value is invalid. The message names key, value, what is allowed and what to do.
 *
 * @serial exclude
 */
@SuppressWarnings("InvalidBlockTag") // @serial exclude is a tag of classes, too
public final class HighwayConfigurationException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final String key;
    private final String problem;
    private final String action;
    private final @Nullable String origin;

    /**
     * Describes one configuration error.
     *
     * @param key the full key, or the reference or service that the error is about
     * @param problem what is wrong, without a full stop
     * @param action what to write instead
     */
    public HighwayConfigurationException(String key, String problem, String action) {
        this(key, problem, action, null);
    }

    private HighwayConfigurationException(String key, String problem, String action, @Nullable String origin) {
        super(key + ": " + problem + ". " + action);
        this.key = key;
        this.problem = problem;
        this.action = action;
        this.origin = origin;
    }

    /**
     * {@return the same error with the origin of the value}
     *
     * @param place where the value is written, such as {@code application.yml:7}
     */
    public HighwayConfigurationException at(String place) {
        HighwayConfigurationException same = new HighwayConfigurationException(key, problem, action, place);
        same.setStackTrace(getStackTrace());
        return same;
    }

    /**
     * {@return the error of a value that is not allowed, which it quotes unless it is one of {@code sign.*}: a secret
     * may be written there by mistake}
     *
     * @param key the full key
     * @param value its value
     * @param allowed what is allowed
     * @param action what to write instead
     */
    public static HighwayConfigurationException notAllowed(String key, String value, String allowed, String action) {
        String quoted = key.contains(".sign.") ? "the value" : "\"" + Texts.printable(value) + "\"";
        return new HighwayConfigurationException(key, quoted + " is not allowed; allowed: " + allowed, action);
    }

    /** {@return the full key, such as {@code highway.islands.shanghai.tunnel}} */
    public String key() {
        return key;
    }

    /** {@return what is wrong with its value, and what is allowed} */
    public String problem() {
        return problem;
    }

    /** {@return what to write instead} */
    public String action() {
        return action;
    }

    /** {@return the origin of the value, such as {@code application.yml:7}, or null} */
    public @Nullable String origin() {
        return origin;
    }
}
