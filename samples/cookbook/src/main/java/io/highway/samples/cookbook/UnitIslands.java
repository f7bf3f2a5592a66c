// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.cookbook;

import io.highway.sdk.IslandResolver;
import java.nio.charset.StandardCharsets;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.zip.CRC32;

class UnitIslands implements IslandResolver {

    private static final int UNITS = 100;

    private final NavigableMap<Integer, String> islands = new TreeMap<>(); // by the first unit of each

    UnitIslands() {
        islands.put(0, "shanghai"); // 0 to 49
        islands.put(50, "beijing"); // 50 to 99
    }

    @Override
    public String islandOf(String user) {
        return islands.floorEntry(unit(user)).getValue();
    }

    static int unit(String user) {
        CRC32 crc = new CRC32();
        crc.update(user.getBytes(StandardCharsets.UTF_8));
        return (int) (crc.getValue() % UNITS);
    }
}
