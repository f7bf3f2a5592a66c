// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.springboot.service;

/** The wording of messages. Every island has its own. */
public interface TextService {

    String confirmation(long order);
}
