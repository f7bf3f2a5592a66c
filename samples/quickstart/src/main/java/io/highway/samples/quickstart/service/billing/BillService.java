// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.quickstart.service.billing;

/** Of another application than the other services of its island; its package tells gateways and callers which. */
public interface BillService {

    String charge(String text);
}
