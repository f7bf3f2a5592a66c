// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.cookbook;

import io.highway.sdk.IslandResolver;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

@Component
class AreaIslands implements IslandResolver {

    private static final Map<String, String> ISLANDS = Map.of("021", "shanghai", "010", "beijing");

    @Override
    public @Nullable String islandOf(String area) { // for each @IslandKey argument: answer from memory
        return ISLANDS.get(area); // null: as highway.islands.<id>.keys say
    }
}
