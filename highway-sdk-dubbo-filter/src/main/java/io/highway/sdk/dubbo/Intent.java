// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import io.highway.sdk.Island;
import io.highway.sdk.internal.Texts;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Which island a call asks for, as it was written: nothing is checked yet. Immutable, with equality by value. */
public final class Intent {

    /** The call asks for no island. */
    public static final Intent NONE = of(IntentSource.NONE, null);

    private final IntentSource source;
    private final @Nullable String asked;
    private final Island.When when;
    private final @Nullable String problem;

    private Intent(IntentSource source, @Nullable String asked, Island.When when, @Nullable String problem) {
        this.source = Objects.requireNonNull(source, "source");
        this.asked = asked;
        this.when = Objects.requireNonNull(when, "when");
        this.problem = problem;
    }

    /**
     * {@return an intent that holds whether or not home has providers}
     *
     * @param source the source of the request
     * @param asked the island, the business key if {@code source} is {@link IntentSource#KEY}, or null for home
     */
    public static Intent of(IntentSource source, @Nullable String asked) {
        return of(source, asked, Island.When.ALWAYS);
    }

    /**
     * {@return an intent}
     *
     * @param source the source of the request
     * @param asked the island, the business key if {@code source} is {@link IntentSource#KEY}, or null for home
     * @param when whether home providers come first
     */
    public static Intent of(IntentSource source, @Nullable String asked, Island.When when) {
        return new Intent(source, asked, when, null);
    }

    /**
     * {@return an intent whose island cannot be determined; such a call is refused}
     *
     * @param source the source of the request
     * @param problem why the island cannot be determined
     */
    public static Intent undetermined(IntentSource source, String problem) {
        return new Intent(source, null, Island.When.ALWAYS, Objects.requireNonNull(problem, "problem"));
    }

    /** {@return the source of the request} */
    public IntentSource source() {
        return source;
    }

    /** {@return the island, the business key if the source is {@link IntentSource#KEY}, or null for home} */
    public @Nullable String asked() {
        return asked;
    }

    /** {@return whether home providers come first} */
    public Island.When when() {
        return when;
    }

    /** {@return why the island cannot be determined, or null; a call with a problem is refused} */
    public @Nullable String problem() {
        return problem;
    }

    /** {@return whether the call asks for no island} */
    public boolean isNone() {
        return source == IntentSource.NONE;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Intent intent
                && source == intent.source
                && when == intent.when
                && Objects.equals(asked, intent.asked)
                && Objects.equals(problem, intent.problem);
    }

    @Override
    public int hashCode() {
        return Objects.hash(source, asked, when, problem);
    }

    /** {@return the intent for messages, such as {@code island "shanghai" (from attachment)}} */
    @Override
    public String toString() {
        if (isNone()) {
            return "home (no island requested)";
        }
        String what;
        if (problem != null) {
            what = "an island by " + source;
        } else if (asked == null) {
            what = "home";
        } else {
            what = (source == IntentSource.KEY ? "the island of key \"" : "island \"") + Texts.printable(asked) + "\"";
        }
        return what + " (from " + source + ")";
    }
}
