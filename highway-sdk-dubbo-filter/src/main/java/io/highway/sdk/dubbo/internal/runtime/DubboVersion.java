// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.runtime;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import java.lang.module.ModuleDescriptor;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.dubbo.common.Version;
import org.apache.dubbo.common.utils.JsonUtils;
import org.jspecify.annotations.Nullable;

/** Says what a version of Dubbo lacks before it fails: fails start-up without what the SDK calls. */
public final class DubboVersion {

    /** {@code AbstractPortUnificationServer#getProtocols} is new in it; everything else is older. */
    private static final ModuleDescriptor.Version OLDEST = ModuleDescriptor.Version.parse("3.2.12");

    private static final int FIRST_JAVA_WITHOUT = 24;

    private static final Pattern NUMBERS = Pattern.compile("(\\d{1,9}\\.\\d{1,9}\\.\\d{1,9}).*");

    private DubboVersion() {}

    /** Calls only what every Dubbo 3 has. */
    public static void require() {
        require(Version.getVersion());
    }

    /**
     * Why Dubbo fails where it needs JSON, or null: since Java 24 its search for a library ends with an error at the first
     * one that is missing ({@code JsonUtils}, 3.3.6).
     */
    static @Nullable String jsonProblem() {
        return jsonProblem(Runtime.version().feature(), JsonUtils::toJson);
    }

    static @Nullable String jsonProblem(int java, UnaryOperator<String> json) {
        try {
            String unused = java < FIRST_JAVA_WITHOUT ? "" : json.apply("");
            return null;
        } catch (LinkageError | RuntimeException e) {
            return "Dubbo finds no JSON library on Java " + java + " (" + e
                    + "), and fails where it needs one, as with a"
                    + " registry; write -Ddubbo.json-framework.prefer=fastjson2";
        }
    }

    /** A version that is not three numbers, such as that of a private build, passes. */
    static void require(String version) {
        Matcher numbers = NUMBERS.matcher(version);
        if (numbers.matches()
                && ModuleDescriptor.Version.parse(numbers.group(1)).compareTo(OLDEST) < 0) {
            throw new HighwayConfigurationException(
                    "Dubbo " + version,
                    "the Highway SDK needs " + OLDEST + " or newer",
                    "Use Dubbo 3.3.6 (or 3.2.19), for example by importing its BOM, org.apache.dubbo:dubbo-bom");
        }
    }
}
