// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.service;

/** A service with large arguments. */
public interface StoreService {

    /** Keeps the bytes and returns how many there are. */
    String store(byte[] bytes);

    /** Answers. */
    String ping(String text);

    /** Takes what an attacker likes. */
    String keep(Object value);

    /** As {@link #keep(Object)}. */
    String keep(Object value, String name);
}
