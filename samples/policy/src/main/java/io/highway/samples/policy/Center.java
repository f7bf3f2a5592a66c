// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.policy;

/** Home's config centre: a server in a process of its own, with its data on disk. */
interface Center {

    /** The key of the rule for all applications. */
    String COMMON = "highway.policy";

    /** Starts it, or starts it again with the same data; returns when it answers. */
    void start();

    /** Ends it as {@code kill -9} does. */
    void kill();

    /** Its address, as Dubbo writes it. */
    String address();

    /** The same for an application that starts without it. */
    String addressWithoutCheck();

    /** The address of home's registry, once the centre has started. */
    String registry();

    /** The registry for an application that starts without the centre. */
    String registryWithoutCheck();

    /** Whether {@code check=false} of Dubbo's config is needed for that, too. */
    boolean needsCheckFalse();

    /** Publishes the rule of a key. */
    void publish(String key, String rule) throws Exception;

    /** Publishes a blank rule; returns why the centre refuses to store it, or an empty text if it stores it. */
    String publishBlank() throws Exception;

    /** Deletes the rule of a key. */
    void delete(String key) throws Exception;
}
