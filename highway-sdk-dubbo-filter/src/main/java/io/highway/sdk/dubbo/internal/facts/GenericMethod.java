// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.facts;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The method that a call of {@code $invoke} or {@code $invokeAsync} names in its arguments.
 *
 * @param types the names of its parameter types as sent, or null if it leaves them to the provider
 */
public record GenericMethod(String method, @Nullable List<@Nullable String> types) {

    /**
     * Reads the first two arguments of Triple's wrapper, each a separate body; no reader index is moved.
     *
     * @param serializeType what the wrapper names: {@code hessian2}, {@code hessian4} or {@code fastjson2}
     * @throws UnreadableRequestException if it is another one, or an argument could be decoded differently
     */
    public static GenericMethod of(String serializeType, ByteBuf method, ByteBuf types) {
        int serialization = BodyScanners.id(serializeType);
        BodyScanner ofMethod = BodyScanners.of(method, serialization);
        String name = nameOf(ofMethod);
        ofMethod.requireEnd();
        BodyScanner ofTypes = BodyScanners.of(types, serialization);
        GenericMethod facts = new GenericMethod(name, ofTypes.readTexts());
        ofTypes.requireEnd();
        return facts;
    }

    /** Whether the decoded arguments name the same. */
    public boolean areIn(@Nullable Object @Nullable [] arguments) {
        return arguments != null
                && arguments.length > 1
                && method.equals(arguments[0])
                && Objects.equals(types, arguments[1] instanceof String[] names ? Arrays.asList(names) : arguments[1]);
    }

    static GenericMethod of(BodyScanner arguments) {
        return new GenericMethod(nameOf(arguments), arguments.readTexts());
    }

    private static String nameOf(BodyScanner reader) {
        return reader.requireText(BodyScanner.LONGEST_NAME, "name of the called method");
    }
}
