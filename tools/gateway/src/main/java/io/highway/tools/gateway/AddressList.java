// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Equal addresses, used round-robin: every call gets all of them, each time starting with the next one. */
final class AddressList {
    private final List<Address> addresses;
    private final AtomicInteger position = new AtomicInteger();

    AddressList(List<Address> addresses) {
        this.addresses = List.copyOf(addresses);
    }

    boolean isEmpty() {
        return addresses.isEmpty();
    }

    List<Address> inTurn() {
        if (addresses.size() < 2) {
            return addresses;
        }
        int first = Math.floorMod(position.getAndIncrement(), addresses.size());
        List<Address> rotated = new ArrayList<>(addresses.subList(first, addresses.size()));
        rotated.addAll(addresses.subList(0, first));
        return rotated;
    }
}
