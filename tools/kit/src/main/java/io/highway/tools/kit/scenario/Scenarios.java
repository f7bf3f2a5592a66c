// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.kit.scenario;

import io.highway.tools.kit.check.Check;
import io.highway.tools.kit.check.Check.Result;
import io.highway.tools.processes.Processes;
import java.nio.file.Path;
import java.util.List;

/**
 * Whether what a program sees is the same on level 1, on level 2 and through nginx.
 *
 * @param logs the folder for the files of nginx
 */
public record Scenarios(Processes processes, Path logs) {

    /** One for each. */
    public List<Check> checks() {
        return Scenario.ALL.stream()
                .map(scenario -> new Check("scenario: " + scenario.name(), () -> compare(scenario)))
                .toList();
    }

    private Result compare(Scenario scenario) throws Exception {
        String nginx = seen(scenario, new NginxPlace(scenario, processes, logs.resolve("nginx")));
        String level1 = seen(scenario, new KitPlace(scenario, false));
        String level2 = seen(scenario, new KitPlace(scenario, true));
        boolean same = level1.equals(nginx) && level2.equals(nginx) && nginx.contains(scenario.expected());
        return new Result(
                same,
                same
                        ? nginx
                        : "expected " + scenario.expected() + "\n  nginx   " + nginx + "\n  level 1 " + level1
                                + "\n  level 2 " + level2);
    }

    private static String seen(Scenario scenario, Place place) throws Exception {
        try (place) {
            return place.see(scenario);
        }
    }
}
