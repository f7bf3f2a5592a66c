// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.kit;

/** What shanghai serves. */
public interface Desk {

    /** Returns this text. */
    String answer(String text);

    /** Throws an {@link IllegalStateException} with this text. */
    String refuse(String text);
}
