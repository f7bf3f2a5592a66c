// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.operate.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.apache.dubbo.qos.api.CommandContext;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a QoS command: {@code --json}, options as {@code name=value}, and all others by position. Dubbo's QoS
 * passes on the values of an HTTP request and not their names: {@code /highwayExplain?a=com.foo.Sms%23send&b=key=310000}.
 */
final class QosArguments {

    /** The option that chooses one of several applications of a process. */
    static final String APPLICATION = "application";

    private final List<String> positional = new ArrayList<>();
    private final Map<String, String> options = new LinkedHashMap<>();
    private final boolean json;

    private QosArguments(String @Nullable [] args, List<String> known) {
        boolean asJson = false;
        for (String arg : args == null ? new String[0] : args) {
            String written = arg.trim();
            int equals = written.indexOf('=');
            if (written.equals("--json") || written.equals("json")) {
                asJson = true;
            } else if (equals > 0) {
                String name = written.substring(0, equals);
                if (!known.contains(name) && !name.equals(APPLICATION)) {
                    throw new IllegalArgumentException("there is no option \"" + name + "\"; known here: "
                            + (known.isEmpty() ? "" : String.join("=, ", known) + "=, ") + APPLICATION
                            + "=, --json");
                }
                options.put(name, written.substring(equals + 1));
            } else if (!written.isEmpty()) {
                positional.add(written);
            }
        }
        this.json = asJson;
    }

    /**
     * Runs a command for the application that is meant; an argument that is wrong is the answer.
     *
     * @param known the names of its options
     * @param code the answer for one application; null if the highway is off there
     */
    static String run(
            FrameworkModel framework,
            CommandContext context,
            String @Nullable [] args,
            List<String> known,
            BiFunction<ApplicationModel, QosArguments, @Nullable Object> code) {
        try {
            QosArguments arguments = new QosArguments(args, known);
            Map<String, Object> answers = new TreeMap<>();
            IllegalArgumentException refused = null;
            for (ApplicationModel application : framework.getApplicationModels()) {
                if (application.isInternal() || !arguments.isMeant(application)) {
                    continue;
                }
                try {
                    Object answer = code.apply(application, arguments);
                    if (answer != null) {
                        answers.put(name(application), answer);
                    }
                } catch (IllegalArgumentException e) { // another application may know the island or method
                    refused = e;
                }
            }
            if (answers.isEmpty() && refused != null) {
                throw refused;
            }
            return arguments.text(answers);
        } catch (IllegalArgumentException e) {
            context.setHttpCode(400);
            return "highway: " + e.getMessage();
        }
    }

    private String text(Map<String, Object> answers) {
        if (answers.isEmpty()) {
            return json ? "{}" : "highway: off, or no reference or service of the application has been created yet";
        }
        if (answers.size() == 1) {
            Object only = answers.values().iterator().next();
            return json ? PlainValues.json(only) : only.toString();
        }
        if (json) {
            throw new IllegalArgumentException("this process has several applications: "
                    + String.join(", ", answers.keySet()) + "; write " + APPLICATION + "=<name>");
        }
        String line = System.lineSeparator();
        return answers.entrySet().stream()
                .map(answer -> "application " + answer.getKey() + line + answer.getValue() + line)
                .collect(Collectors.joining());
    }

    private boolean isMeant(ApplicationModel application) {
        String name = options.get(APPLICATION);
        return name == null || name.equals(name(application));
    }

    private static String name(ApplicationModel application) {
        return Objects.requireNonNullElse(application.tryGetApplicationName(), "unknown");
    }

    /** Whether the answer is JSON. */
    boolean isJson() {
        return json;
    }

    /** The argument at this position, or null. */
    @Nullable
    String at(int position) {
        return position < positional.size() ? positional.get(position) : null;
    }

    /** The arguments without a name. */
    List<String> positional() {
        return positional;
    }

    /** The value of an option, or null. */
    @Nullable
    String option(String name) {
        return options.get(name);
    }
}
