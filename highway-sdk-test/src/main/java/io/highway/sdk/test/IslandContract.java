// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import io.highway.sdk.dubbo.TunnelKind;
import java.io.Serializable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.common.url.component.ServiceConfigURL;
import org.apache.dubbo.common.utils.ClassUtils;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.model.ConsumerModel;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the values of a service interface survive the way to an island: arguments, return values, messages of streams
 * and declared exceptions, by each tunnel and each serialization.
 *
 * <p>The values are the given samples: one is needed of each class and exception of the interface. Numbers, text and enums
 * need none, nor do arrays, lists, sets and maps, which get a value of each element. What arrives is compared field by field:
 *
 * <ul>
 *   <li>classes are the same; lists, sets, maps and other containers of the JDK may be of another class that implements the
 *       same interface, and sets and maps may have another order, unless they are sorted;
 *   <li>values of the JDK are equal, so {@code 1.50} is not {@code 1.5};
 *   <li>exceptions have the same class, message, cause and fields; stack traces are not compared;
 *   <li>a transient field may have another value, but not none where one was sent: code that relies on the value would fail.
 * </ul>
 */
public final class IslandContract {

    private static final List<String> SERIALIZATIONS = List.of("hessian2", "fastjson2");

    /** What carries one value of a method, or values one after the other. */
    private static final List<Class<?>> CARRIERS =
            List.of(Future.class, CompletionStage.class, CompletableFuture.class, StreamObserver.class);

    /** hessian-lite 4.0.4 writes eight bytes into a float field: over the next field, or the next object. */
    private static final boolean LOSES_FLOATS = ClassUtils.isPresent(
            "com.alibaba.com.caucho.hessian.io.FieldDeserializer2FactoryUnsafe$FloatFieldDeserializer",
            IslandContract.class.getClassLoader());

    /** How the JVM refuses access to a field. */
    private static final Pattern CLOSED = Pattern.compile("module (\\S+) does not \"opens (\\S+)\"");

    private final Class<?> service;
    private final ConsumerModel model;
    private final Samples samples;

    /** Each finding, and the tunnels and serializations with it. */
    private final Map<Finding, Set<String>> found = new LinkedHashMap<>();

    private IslandContract(Class<?> service, ConsumerModel model, Samples samples) {
        this.service = service;
        this.model = model;
        this.samples = samples;
    }

    /** What does not survive, and why. */
    private record Finding(String value, String why) {}

    /**
     * Checks an interface by each tunnel and serialization.
     *
     * @param service the interface
     * @param samples values, with a value in each field; each is taken wherever its type fits; null if null is to be checked,
     *     too
     * @throws AssertionError with each value that does not survive: method, argument or return value or exception, tunnels and
     *     serializations, class and field, why, and what to correct
     */
    public static void verify(Class<?> service, @Nullable Object... samples) {
        verify(SERIALIZATIONS, service, samples);
    }

    /**
     * The same for one serialization, where no call uses another.
     *
     * @param serialization {@code hessian2} or {@code fastjson2}
     * @param service the interface
     * @param samples as above
     * @throws AssertionError as above
     */
    public static void verifyOnly(String serialization, Class<?> service, @Nullable Object... samples) {
        verify(List.of(serialization), service, samples);
    }

    private static void verify(List<String> serializations, Class<?> service, @Nullable Object... samples) {
        try (Islands islands =
                Islands.builder().property("highway.enabled", "false").start()) { // whatever its @Island
            Object unused = islands.reference(service); // from then on Dubbo trusts the classes of the interface
            ConsumerModel model = islands.application()
                    .getDefaultModule()
                    .getServiceRepository()
                    .getReferredServices()
                    .get(0);
            new IslandContract(service, model, new Samples(samples)).verify(serializations);
        }
    }

    private void verify(List<String> serializations) {
        Arrays.stream(service.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .sorted(Comparator.comparing(Method::getName).thenComparing(Method::toString))
                .forEach(method -> Arrays.stream(TunnelKind.values())
                        .forEach(kind -> serializations.forEach(serialization -> verify(method, kind, serialization))));
        samples.missing()
                .forEach(type -> found.put(
                        new Finding(type.getTypeName(), "not checked; pass a value of it to verify"), Set.of()));
        if (!found.isEmpty()) {
            StringBuilder text = new StringBuilder(service.getName() + ":");
            found.forEach((finding, ways) -> text.append("\n")
                    .append(finding.value())
                    .append(ways.isEmpty() ? "" : ", by " + String.join(" and ", ways))
                    .append(", ")
                    .append(finding.why()));
            throw new AssertionError(text.toString());
        }
    }

    private void verify(Method method, TunnelKind kind, String serialization) {
        Class<?>[] types = method.getParameterTypes();
        boolean isStream =
                method.getReturnType() == StreamObserver.class || List.of(types).contains(StreamObserver.class);
        if (isStream && !kind.isHttp2()) {
            return;
        }
        Copies answers = copies(method, kind, serialization, new Object[types.length]);
        String way = kind + "/" + serialization;
        for (int i = 0; i < types.length; i++) {
            int index = i;
            for (Object sample : values(method.getGenericParameterTypes()[i])) {
                @Nullable Object[] arguments = new Object[types.length];
                arguments[i] = sample;
                Copies copies = copies(method, kind, serialization, arguments);
                Callable<@Nullable Object> copying =
                        types[i] == StreamObserver.class ? () -> copies.value(sample) : () -> copies.argument(index);
                compare(way, method.getName() + ", argument " + (i + 1), sample, copies, copying);
            }
        }
        for (Object sample : values(method.getGenericReturnType())) {
            Callable<@Nullable Object> copying = method.getReturnType() == StreamObserver.class
                    ? () -> answers.value(sample)
                    : () -> answers.answer(new AppResponse(sample)).getValue();
            compare(way, method.getName() + ", return value", sample, answers, copying);
        }
        for (Type type : method.getGenericExceptionTypes()) {
            for (Object sample : samples.of(type)) {
                compare(way, method.getName() + ", exception", sample, answers, () -> answers.answer(
                                new AppResponse((Throwable) sample))
                        .getException());
            }
        }
    }

    /** With null, if it is asked for and possible. */
    private List<@Nullable Object> values(Type type) {
        boolean isCarried =
                type instanceof ParameterizedType parameterized && CARRIERS.contains(parameterized.getRawType());
        Type carried = isCarried ? ((ParameterizedType) type).getActualTypeArguments()[0] : type;
        List<@Nullable Object> values = new ArrayList<>(samples.of(carried));
        boolean isObject = !(type instanceof Class<?> known && known.isPrimitive()) && !isCarried;
        if (samples.hasNull() && isObject) {
            values.add(null);
        }
        return values;
    }

    private Copies copies(Method method, TunnelKind kind, String serialization, @Nullable Object[] arguments) {
        URL url = new ServiceConfigURL(
                        kind.dubboProtocol(),
                        "island.test",
                        1,
                        Map.of("interface", service.getName(), "serialization", serialization))
                .setScopeModel(model.getModuleModel())
                .setServiceModel(model);
        RpcInvocation request = new RpcInvocation(
                model, method.getName(), service.getName(), service.getName(), method.getParameterTypes(), arguments);
        request.setInvoker(new CopyingInvoker<>(service, url, Network.of(url.getOrDefaultFrameworkModel())));
        return new Copies(url, url, request);
    }

    private void compare(
            String way, String value, @Nullable Object sample, Copies copies, Callable<@Nullable Object> copying) {
        String path = Differences.root(sample);
        String torn =
                sample == null || !LOSES_FLOATS || !way.endsWith("hessian2") ? null : floatField(path, sample, seen());
        List<String> reasons;
        try {
            reasons = torn == null
                    ? Differences.between(sample, copying.call())
                    : List.of(torn + ": lost value, with what follows it in memory: a field of type float; use double");
        } catch (Exception | LinkageError e) {
            reasons = List.of(reason(path, sample, copies, seen(), e));
        }
        reasons.forEach(reason -> found.computeIfAbsent(new Finding(value, reason), any -> new LinkedHashSet<>())
                .add(way));
    }

    private static Set<Object> seen() {
        return Collections.newSetFromMap(new IdentityHashMap<>());
    }

    /** Names the innermost part that cannot be copied. */
    private static String reason(
            String path, @Nullable Object value, Copies copies, Set<Object> seen, Throwable failure) {
        Map<String, @Nullable Object> parts = value == null ? Map.of() : Differences.parts(value);
        for (Map.Entry<String, @Nullable Object> part : parts.entrySet()) {
            Object inner = part.getValue();
            if (inner == null || !seen.add(inner)) {
                continue;
            }
            try {
                Object unused = copies.value(inner);
            } catch (Exception | LinkageError e) {
                return reason(Differences.path(path, part), inner, copies, seen, e);
            }
        }
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return path + ": " + (value == null ? root + "; send no null" : why(value, root));
    }

    private static String why(Object value, Throwable root) {
        Class<?> type = value.getClass();
        String text = String.valueOf(root.getMessage());
        Matcher closed = CLOSED.matcher(text);
        if (closed.find()) {
            return "not accessible to the serialization; start the JVM with --add-opens " + closed.group(1) + "/"
                    + closed.group(2) + "=ALL-UNNAMED";
        } else if (!(value instanceof Serializable)) {
            return "not serializable; "
                    + (Differences.isOfLibrary(type) ? "use another type" : "implement java.io.Serializable");
        } else if (text.contains("serialize.allowlist")) {
            return "not trusted by Dubbo; name it in the interface, or in security/serialize.allowlist";
        } else if (type.isRecord()) {
            return "a record, which this version of Dubbo cannot read; use a class";
        } else if (value instanceof Throwable) {
            return "missing usable constructor; make it a public class with a public one: (String) or (String,"
                    + " Throwable)";
        }
        boolean isConstructed = type.isArray()
                || Differences.isOfLibrary(type)
                || Arrays.stream(type.getDeclaredConstructors()).anyMatch(one -> one.getParameterCount() == 0);
        return isConstructed ? root + "; use another type" : "missing default constructor; add one without parameters";
    }

    /** The path of a {@code float} field, or null. */
    private static @Nullable String floatField(String path, Object value, Set<Object> seen) {
        for (Map.Entry<String, @Nullable Object> part : Differences.parts(value).entrySet()) {
            Object inner = part.getValue();
            boolean isNew = inner != null && seen.add(inner);
            String found = isNew ? floatField(Differences.path(path, part), inner, seen) : null;
            if (found != null) {
                return found;
            }
        }
        return Differences.fields(value.getClass()).stream()
                .filter(field -> field.getType() == float.class)
                .map(field -> path + "." + field.getName())
                .findFirst()
                .orElse(null);
    }
}
