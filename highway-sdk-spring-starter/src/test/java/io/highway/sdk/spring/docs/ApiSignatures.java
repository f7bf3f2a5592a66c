// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.docs;

import java.lang.annotation.Retention;
import java.lang.annotation.Target;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.Arrays;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What code outside of the SDK can refer to, one line each, such as {@code io.highway.sdk.Highway: public static
 * io.highway.sdk.HighwayRoute home()}. Nullness annotations, parameter names and {@code @Deprecated} are not in it, and
 * neither are the constructors of records: only the SDK calls them, and a new component changes them.
 */
final class ApiSignatures {

    /** Begins the lines about the type itself. */
    private static final String OF_TYPE = "type ";

    private static final int DISPLAYED =
            Modifier.PUBLIC | Modifier.PROTECTED | Modifier.STATIC | Modifier.FINAL | Modifier.ABSTRACT;

    private ApiSignatures() {}

    /** The lines of one type, without those of the types inside it. */
    static SortedSet<String> of(Class<?> type) {
        Predicate<Member> visible = member -> Modifier.isPublic(member.getModifiers())
                || Modifier.isProtected(member.getModifiers()) && !Modifier.isFinal(type.getModifiers());
        Stream<String> members = Stream.of(
                        Arrays.stream(type.getDeclaredFields())
                                .filter(visible)
                                .filter(field -> !field.isSynthetic())
                                .map(ApiSignatures::field),
                        Arrays.stream(type.getDeclaredConstructors())
                                .filter(visible)
                                .filter(constructor -> !constructor.isSynthetic() && !type.isRecord())
                                .map(ApiSignatures::constructor),
                        Arrays.stream(type.getDeclaredMethods())
                                .filter(visible)
                                .filter(method -> !method.isSynthetic() && !isOfObject(method))
                                .map(ApiSignatures::method))
                .flatMap(lines -> lines);
        return Stream.of(Stream.of(header(type)), annotation(type), members)
                .flatMap(lines -> lines)
                .map(signature -> type.getCanonicalName() + ": " + shortened(signature))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String shortened(String text) {
        return text.replaceAll("\\bjava\\.lang\\.(?=[A-Z])", "").replace('$', '.');
    }

    private static String header(Class<?> type) {
        int modifiers = type.getModifiers() & DISPLAYED;
        if (type.isInterface()) {
            modifiers &= ~Modifier.ABSTRACT;
        }
        StringBuilder header = new StringBuilder(OF_TYPE)
                .append(Modifier.toString(modifiers))
                .append(' ')
                .append(kind(type))
                .append(' ')
                .append(parameters(type.getTypeParameters()));
        Type superclass = type.getGenericSuperclass();
        if (superclass != null && superclass != Object.class) {
            header.append("extends ").append(superclass.getTypeName()).append(' ');
        }
        if (type.getGenericInterfaces().length > 0) {
            header.append("implements ").append(names(type.getGenericInterfaces()));
        }
        return header.toString().strip();
    }

    private static String kind(Class<?> type) {
        if (type.isAnnotation()) {
            return "annotation";
        } else if (type.isInterface()) {
            return "interface";
        } else if (type.isEnum()) {
            return "enum";
        }
        return type.isRecord() ? "record" : "class";
    }

    private static Stream<String> annotation(Class<?> type) {
        Target target = type.getAnnotation(Target.class);
        Retention retention = type.getAnnotation(Retention.class);
        return Stream.concat(
                target == null
                        ? Stream.empty()
                        : Arrays.stream(target.value()).map(place -> OF_TYPE + "target " + place),
                retention == null ? Stream.empty() : Stream.of(OF_TYPE + "retention " + retention.value()));
    }

    private static String field(Field field) {
        String line = modifiers(field) + field.getGenericType().getTypeName() + " " + field.getName();
        boolean inlined = Modifier.isStatic(field.getModifiers())
                && Modifier.isFinal(field.getModifiers())
                && (field.getType().isPrimitive() || field.getType() == String.class);
        return inlined ? line + " = " + literal(valueOf(field)) : line;
    }

    private static String literal(Object value) {
        if (value instanceof Object[] all) {
            return Arrays.asList(all).toString();
        }
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        return value instanceof String text ? '"' + text + '"' : value.toString();
    }

    private static Object valueOf(Field field) {
        try {
            return field.get(null);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Each type has them, whether it declares them or not. */
    private static boolean isOfObject(Method method) {
        String signature = method.getName() + "(" + names(method.getParameterTypes()) + ")";
        return Set.of("toString()", "hashCode()", "equals(java.lang.Object)").contains(signature);
    }

    private static String constructor(Constructor<?> constructor) {
        return modifiers(constructor) + signature(constructor, "new");
    }

    private static String method(Method method) {
        boolean finalType = Modifier.isFinal(method.getDeclaringClass().getModifiers());
        String line = (finalType ? modifiers(method).replace("final ", "") : modifiers(method))
                + (method.isDefault() ? "default " : "")
                + parameters(method.getTypeParameters())
                + method.getGenericReturnType().getTypeName()
                + " "
                + signature(method, method.getName());
        Object value = method.getDefaultValue();
        return value == null ? line : line + " default " + literal(value);
    }

    private static String modifiers(Member member) {
        String modifiers = Modifier.toString(member.getModifiers() & DISPLAYED);
        return modifiers.isEmpty() ? "" : modifiers + " ";
    }

    private static String signature(Executable executable, String name) {
        String thrown = names(executable.getGenericExceptionTypes());
        return name + "(" + names(executable.getGenericParameterTypes()) + ")"
                + (thrown.isEmpty() ? "" : " throws " + thrown);
    }

    private static String names(Type[] types) {
        return Arrays.stream(types).map(Type::getTypeName).collect(Collectors.joining(", "));
    }

    private static String parameters(TypeVariable<?>[] variables) {
        return variables.length == 0
                ? ""
                : Arrays.stream(variables)
                        .map(variable -> variable.getName() + " extends " + names(variable.getBounds()))
                        .collect(Collectors.joining(", ", "<", "> "));
    }

    /**
     * What breaks code that was written against {@code before}: lines that are gone, and new abstract methods, which its
     * own implementations lack. Each as {@code Type#member}, or as {@code Type} where the type itself is meant.
     *
     * @param sdkOnly the interfaces, by full name, that only the SDK implements: they may get methods
     */
    static SortedSet<String> incompatible(SortedSet<String> before, SortedSet<String> now, Set<String> sdkOnly) {
        Set<String> types = before.stream().map(ApiSignatures::type).collect(Collectors.toSet());
        Stream<String> gone = before.stream().filter(line -> !now.contains(line));
        Stream<String> demanded = now.stream()
                .filter(line -> !before.contains(line))
                .filter(line -> types.contains(type(line)) && !sdkOnly.contains(type(line)))
                .filter(line -> line.contains(" abstract ") && !line.contains(") default "));
        return Stream.concat(gone, demanded).map(ApiSignatures::name).collect(Collectors.toCollection(TreeSet::new));
    }

    private static String type(String line) {
        return line.substring(0, line.indexOf(": "));
    }

    /** {@code HighwayReport.Gateway#address} for a member, {@code HighwayReport.Gateway} for the type itself. */
    private static String name(String line) {
        String type = type(line).replaceFirst("^[a-z.]+\\.(?=[A-Z])", "");
        String signature = line.substring(line.indexOf(": ") + 2);
        if (signature.startsWith(OF_TYPE)) {
            return type;
        }
        String declared = signature.replaceFirst("(\\(| = ).*", "");
        return type + "#" + declared.substring(declared.lastIndexOf(' ') + 1);
    }
}
