// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.route;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.dubbo.common.beanutil.JavaBeanDescriptor;
import org.jspecify.annotations.Nullable;

/** Reads {@code address.code} from an argument; empty reads the argument itself. Thread-safe. */
final class PropertyPath {

    private final String what;
    private final List<String> steps;
    private final Map<Class<?>, Map<String, Member>> members = new ConcurrentHashMap<>();

    /**
     * A path into an argument.
     *
     * @param what a description of the argument, for messages
     */
    PropertyPath(String what, String path) {
        this.what = what;
        this.steps = path.isEmpty() ? List.of() : List.of(path.split("\\.", -1));
    }

    /**
     * Reads the value.
     *
     * @throws UnreadableKeyException if a step is null, does not exist or cannot be read
     */
    String read(@Nullable Object argument) throws UnreadableKeyException {
        Object value = plain(argument);
        int taken = 0;
        while (value != null && taken < steps.size()) {
            value = plain(readStep(value, taken));
            taken++;
        }
        if (value == null) {
            throw new UnreadableKeyException(where(taken) + " is null");
        }
        if (value instanceof JavaBeanDescriptor || value.getClass().isArray()) { // it has no text form
            throw new UnreadableKeyException(where(taken) + " is no text, number or enum");
        }
        return value.toString();
    }

    /** What a generic call of the form {@code bean} describes. */
    private static @Nullable Object plain(@Nullable Object value) {
        if (!(value instanceof JavaBeanDescriptor described)) {
            return value;
        }
        return described.isPrimitiveType()
                ? described.getPrimitiveProperty()
                : described.isEnumType() ? described.getEnumPropertyName() : described;
    }

    /** The argument and the first steps of the path, for messages. */
    private String where(int taken) {
        return taken == 0 ? what : what + "." + String.join(".", steps.subList(0, taken));
    }

    private @Nullable Object readStep(Object value, int index) throws UnreadableKeyException {
        String step = steps.get(index);
        if (value instanceof Map<?, ?> map) {
            return map.get(step);
        }
        if (value instanceof JavaBeanDescriptor described) { // the keys of a map are described, too
            for (Map.Entry<Object, Object> property : described) {
                if (step.equals(plain(property.getKey()))) {
                    return property.getValue();
                }
            }
            return null;
        }
        Map<String, Member> known = members.computeIfAbsent(value.getClass(), type -> new ConcurrentHashMap<>());
        Member member = known.get(step);
        if (member == null) {
            member = find(value.getClass(), step);
            if (member == null) {
                throw new UnreadableKeyException(
                        where(index) + " (" + value.getClass().getName() + ") has no property \"" + step
                                + "\": no map entry, record component, getter or public field");
            }
            known.put(step, member);
        }
        try {
            return member instanceof Method method ? method.invoke(value) : ((Field) member).get(value);
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new UnreadableKeyException(where(index + 1) + " cannot be read: " + e);
        }
    }

    private static @Nullable Member find(Class<?> type, String name) {
        String suffix = name.isEmpty() ? name : name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
        for (String getter : List.of(name, "get" + suffix, "is" + suffix)) {
            if (getter.equals(name) && !type.isRecord()) {
                continue;
            }
            try {
                return readable(type.getMethod(getter));
            } catch (NoSuchMethodException e) {
                // try the next name
            }
        }
        try {
            return readable(type.getField(name));
        } catch (NoSuchFieldException e) {
            return null;
        }
    }

    /** A public getter of a non-public class is readable within its module. */
    private static <M extends AccessibleObject & Member> @Nullable M readable(M member) {
        return Modifier.isStatic(member.getModifiers()) || !member.trySetAccessible() ? null : member;
    }

    /** Why no key can be read; the message is for the caller. */
    static final class UnreadableKeyException extends Exception {

        private static final long serialVersionUID = 1L;

        UnreadableKeyException(String problem) {
            super(problem);
        }

        /** Never null. */
        String problem() {
            return String.valueOf(getMessage());
        }
    }
}
