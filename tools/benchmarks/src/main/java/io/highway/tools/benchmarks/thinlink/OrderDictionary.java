// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.thinlink;

import io.highway.samples.dictionary.Dictionary;
import io.highway.tools.benchmarks.orders.Order;
import io.highway.tools.benchmarks.orders.Orders;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.dubbo.common.serialize.ObjectOutput;
import org.apache.dubbo.common.serialize.Serialization;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.protocol.tri.TripleCustomerProtocolWrapper.TripleRequestWrapper;
import org.apache.dubbo.rpc.protocol.tri.TripleCustomerProtocolWrapper.TripleResponseWrapper;

/**
 * A dictionary for all messages of {@link OrderExchange}, requests and answers, text and objects, as a gateway would record
 * them. None of the orders that it is trained with is sent.
 */
final class OrderDictionary {

    private static final int BYTES = 16 << 10;
    private static final int ORDERS = 1000;
    private static final String HESSIAN2 = "hessian2";
    private static final String BODY = "[B";

    private OrderDictionary() {}

    /** Trains it and returns its file. */
    static Path write(Path folder) throws IOException {
        List<byte[]> messages = new ArrayList<>();
        for (int i = 0; i < ORDERS; i++) {
            long seed = new Random(Content.DIFFERENT + i).nextLong();
            byte[] text = Orders.json(Group.SMALL, seed);
            Order order = Orders.ofJsonBytes(Group.SMALL, seed);
            messages.addAll(List.of(
                    request(BODY, text),
                    request(Order.class.getName(), order),
                    answer(BODY, text),
                    answer(Order.class.getName(), order)));
        }
        Collections.shuffle(messages, new Random(ORDERS));
        return Files.write(
                folder.resolve("orders.dict"), Dictionary.train(messages, BYTES).bytes());
    }

    private static byte[] request(String type, Object argument) throws IOException {
        return TripleRequestWrapper.Builder.newBuilder()
                .setSerializeType(HESSIAN2)
                .addArgTypes(type)
                .addArgs(hessian2(argument))
                .build()
                .toByteArray();
    }

    private static byte[] answer(String type, Object value) throws IOException {
        return TripleResponseWrapper.Builder.newBuilder()
                .setSerializeType(HESSIAN2)
                .setType(type)
                .setData(hessian2(value))
                .build()
                .toByteArray();
    }

    private static byte[] hessian2(Object value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ObjectOutput out = FrameworkModel.defaultModel()
                .getExtensionLoader(Serialization.class)
                .getExtension(HESSIAN2)
                .serialize(null, bytes);
        out.writeObject(value);
        out.flushBuffer();
        return bytes.toByteArray();
    }
}
