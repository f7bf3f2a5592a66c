// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway.dubbo;

/** A frame over the limit: its head is known, its body is skipped as it arrives. */
public record OversizedFrame(boolean request, boolean twoWay, int serialization, long id, long length) {}
