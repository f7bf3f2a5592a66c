// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.internal.policy.PolicyParser;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import io.highway.sdk.dubbo.internal.policy.RawSettings.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** The failure that {@code docs/start/begin.md} shows is the one that is printed. */
class FailureInDocsTest {

    @Test
    void isWhatIsPrinted() throws IOException {
        String page = Files.readString(Path.of("../docs/start/begin.md"));
        RawSettings settings = new RawSettings(Map.of(
                "highway.island",
                new Setting("zhejiang", "test"),
                "highway.islands.shanghai.tunnel",
                new Setting("dubo", "class path resource [application.yml] - 7:15")));

        HighwayConfigurationException failure = catchThrowableOfType(
                HighwayConfigurationException.class, () -> PolicyParser.parse(settings, "docs", null));
        FailureAnalysis analysis = new HighwayConfigurationFailureAnalyzer().analyze(failure, failure);

        assertThat(page)
                .contains("Description:\n\n" + analysis.getDescription())
                .contains("Action:\n\n" + analysis.getAction());
    }
}
