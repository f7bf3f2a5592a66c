// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.thinlink;

import io.highway.samples.dictionary.Dictionary;
import io.highway.tools.benchmarks.orders.Family;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.dubbo.rpc.protocol.tri.TripleCustomerProtocolWrapper.TripleRequestWrapper;
import org.apache.dubbo.rpc.protocol.tri.TripleCustomerProtocolWrapper.TripleResponseWrapper;

/** Trained with messages of {@link OrderExchange}, as a gateway would record them. None of their content is sent later. */
final class Dictionaries {

    /** The name of the one for generated orders. */
    static final String ORDERS = "orders";

    private static final int BYTES = 16 << 10;
    private static final int MESSAGES = 1000;
    private static final String HESSIAN2 = "hessian2";

    private Dictionaries() {}

    /** As names of islands and dictionaries are written. */
    static String name(Family family) {
        return family.word().replace('_', '-');
    }

    /** Where a dictionary is, as its key takes it. */
    static String file(Path folder, String name) {
        return "file:" + folder.resolve(name + ".dict");
    }

    /** Trains one with requests and answers of these families. */
    static void write(Path folder, String name, Family... families) throws IOException {
        List<byte[]> messages = new ArrayList<>();
        for (Family family : families) {
            for (Object message : family.messages(Family.Half.TRAINED, Group.SMALL, MESSAGES)) {
                messages.add(request(message));
                messages.add(answer(message));
            }
        }
        Collections.shuffle(messages, new Random(MESSAGES));
        Files.write(
                folder.resolve(name + ".dict"),
                Dictionary.train(messages, BYTES).bytes());
    }

    private static byte[] request(Object argument) {
        return TripleRequestWrapper.Builder.newBuilder()
                .setSerializeType(HESSIAN2)
                .addArgTypes(argument.getClass().getName())
                .addArgs(Family.hessian2(argument))
                .build()
                .toByteArray();
    }

    private static byte[] answer(Object value) {
        return TripleResponseWrapper.Builder.newBuilder()
                .setSerializeType(HESSIAN2)
                .setType(value.getClass().getName())
                .setData(Family.hessian2(value))
                .build()
                .toByteArray();
    }
}
