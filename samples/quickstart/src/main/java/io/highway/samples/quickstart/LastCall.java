// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.quickstart;

import io.highway.sdk.dubbo.HighwayExplain;
import io.highway.sdk.dubbo.HighwayExplain.Call;
import io.highway.sdk.dubbo.IntentSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.service.GenericService;
import org.jspecify.annotations.Nullable;

/**
 * The SDK's explanation of the last call, which is asked for just before the call, on the caller's thread: the scope and
 * the attachments of the thread apply as in the call. The tour makes one call at a time.
 */
final class LastCall {

    private @Nullable HighwayExplain explained;

    /** Returns the reference that the configuration creates, as a proxy that has each call explained first. */
    <S> S observe(ReferenceConfig<S> config, ApplicationModel application) {
        S reference = config.get();
        Class<?> type = config.getInterfaceClass();
        @SuppressWarnings("unchecked") // the type of the reference
        S proxy =
                (S) Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    explained = explain(config, application, call(config, method, arguments));
                    try {
                        return method.invoke(reference, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
        return proxy;
    }

    private static Call call(ReferenceConfig<?> config, Method method, @Nullable Object @Nullable [] arguments) {
        Object[] values = arguments == null ? new Object[0] : arguments;
        return method.getDeclaringClass() == GenericService.class
                ? Call.of(config.getInterface(), (String) values[0]).arguments((Object[]) values[2])
                : Call.of(config.getInterface(), method.getName()).arguments(values);
    }

    /** A service may have several references: the explanation is that of the reference with these parameters. */
    private static @Nullable HighwayExplain explain(
            ReferenceConfig<?> config, ApplicationModel application, Call call) {
        Map<String, String> parameters = config.getParameters() == null ? Map.of() : config.getParameters();
        return HighwayExplain.of(application, call).stream()
                .filter(explained -> explained.sources().stream()
                        .filter(source -> source.source() == IntentSource.REFERENCE)
                        .allMatch(source -> isOf(source, parameters)))
                .findFirst()
                .orElse(null);
    }

    private static boolean isOf(HighwayExplain.Source reference, Map<String, String> parameters) {
        String island = parameters.get("highway-island");
        return island == null
                ? reference.asked() == null
                : island.equals(reference.asked())
                        && parameters.getOrDefault("highway-when", "always").equals(String.valueOf(reference.when()));
    }

    /** The source of the island that the call asks for, as a word. */
    String source() {
        HighwayExplain call = explained;
        return call == null
                ? IntentSource.NONE.word()
                : call.sources().stream()
                        .filter(HighwayExplain.Source::chosen)
                        .map(source -> source.source().word())
                        .findFirst()
                        .orElse(IntentSource.NONE.word());
    }

    /** The tunnel of the decision, as a word, or {@code none}. */
    String tunnel() {
        HighwayExplain call = explained;
        return call == null
                ? "none"
                : Stream.concat(call.endpoints().stream(), call.skipped().stream())
                        .map(endpoint -> endpoint.tunnel().word())
                        .findFirst()
                        .orElse("none");
    }

    void forget() {
        explained = null;
    }
}
