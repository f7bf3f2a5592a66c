// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.service;

import java.util.List;
import java.util.Map;

/** The record of a provider. The kit reads it directly, without gateways. */
public interface Ledger {

    /** How often code of a service has run for this id. */
    int executions(String id);

    /** How often it has run for each id with this prefix. */
    Map<String, Integer> executionsOf(String prefix);

    /** The attachments of the last call with this id as they came over the wire; only text. */
    Map<String, String> wire(String id);

    /** What has happened to a stream, in order, such as {@code cancelled}. */
    List<String> events(String id);
}
