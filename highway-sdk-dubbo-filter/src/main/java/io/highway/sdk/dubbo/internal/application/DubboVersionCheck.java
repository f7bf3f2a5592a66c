// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.application;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import java.lang.module.ModuleDescriptor;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.dubbo.common.Version;

/** Fails the start with a version of Dubbo that lacks what the SDK calls. */
public final class DubboVersionCheck {

    /** {@code AbstractPortUnificationServer#getProtocols} is new in it; everything else is older. */
    private static final ModuleDescriptor.Version OLDEST = ModuleDescriptor.Version.parse("3.2.12");

    private static final Pattern NUMBERS = Pattern.compile("(\\d{1,9}\\.\\d{1,9}\\.\\d{1,9}).*");

    private DubboVersionCheck() {}

    /** Calls only what every Dubbo 3 has. */
    public static void require() {
        require(Version.getVersion());
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
