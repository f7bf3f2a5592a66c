// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.intent;

import io.highway.sdk.Island;
import io.highway.sdk.IslandKey;
import io.highway.sdk.dubbo.DubboCall;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.support.RpcUtils;
import org.jspecify.annotations.Nullable;

/** What {@code @IslandKey} and {@code @Island} on the methods of one interface say, read once. Immutable. */
final class MethodIntents {

    private final Map<String, List<MethodIntent>> byName;
    private final boolean complete;

    private MethodIntents(Map<String, List<MethodIntent>> byName, boolean complete) {
        this.byName = byName;
        this.complete = complete;
    }

    /** Reads the annotations of {@code type}, or returns null where no method has any, so that calls need not look. */
    static @Nullable MethodIntents read(Class<?> type) {
        Map<String, List<MethodIntent>> byName = new HashMap<>();
        int found = 0;
        Method[] methods = type.getMethods();
        for (Method method : methods) {
            MethodIntent intent = MethodIntent.read(method);
            if (intent != null) {
                byName.computeIfAbsent(method.getName(), name -> new ArrayList<>())
                        .add(intent);
                found++;
            }
        }
        return found == 0 ? null : new MethodIntents(byName, found == methods.length);
    }

    /** Whether every method says where it goes, so that home needs no provider. */
    boolean isComplete() {
        return complete;
    }

    /** What the methods' annotations name, whatever the arguments of a call. */
    Stream<Intent> annotated() {
        return byName.values().stream()
                .flatMap(List::stream)
                .map(MethodIntent::annotated)
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull);
    }

    /** What the called method says, or null if it says nothing. Sees through generic calls. */
    @Nullable
    Intent resolve(Invocation invocation, URL consumerUrl) {
        List<MethodIntent> overloads = byName.get(RpcUtils.getMethodName(invocation));
        if (overloads == null) {
            return null;
        }
        DubboCall call = new DubboCall(invocation, consumerUrl);
        for (MethodIntent overload : overloads) {
            if (call.takes(overload.parameters)) {
                return overload.resolve(call);
            }
        }
        return null;
    }

    /**
     * What one method says.
     *
     * @param keyIndex which argument is the key, or -1
     * @param keyPath where in it, or null without a key
     * @param annotated what {@code @Island} says, or null
     */
    @SuppressWarnings("ArrayRecordComponent") // read for every call, never compared
    private record MethodIntent(
            Class<?>[] parameters, int keyIndex, @Nullable PropertyPath keyPath, @Nullable Intent annotated) {

        static @Nullable MethodIntent read(Method method) {
            Island island = method.getAnnotation(Island.class);
            Intent annotated = island == null ? null : Intent.of(IntentSource.METHOD, island);
            Parameter[] parameters = method.getParameters();
            for (int i = 0; i < parameters.length; i++) {
                IslandKey key = parameters[i].getAnnotation(IslandKey.class);
                if (key != null) {
                    PropertyPath path = new PropertyPath("argument " + (i + 1), key.value());
                    return new MethodIntent(method.getParameterTypes(), i, path, annotated);
                }
            }
            return annotated == null ? null : new MethodIntent(method.getParameterTypes(), -1, null, annotated);
        }

        @Nullable
        Intent resolve(DubboCall call) {
            if (keyPath == null) {
                return annotated;
            }
            try {
                return Intent.key(keyPath.read(call.arguments()[keyIndex]));
            } catch (PropertyPath.UnreadableKeyException e) {
                return Intent.missingKey(e.problem());
            }
        }
    }
}
