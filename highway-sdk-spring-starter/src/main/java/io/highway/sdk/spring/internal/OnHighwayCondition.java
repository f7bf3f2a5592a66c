// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.internal;

import io.highway.sdk.dubbo.internal.policy.HighwayKeys;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.dubbo.common.utils.ConfigUtils;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.ClassUtils;

/**
 * Matches if some {@code highway.*} key is set, in Spring's environment or in {@code dubbo.properties}, and neither
 * {@code highway.enabled} nor {@code dubbo.enabled} is {@code false}. The keys in Dubbo's config centre are not known
 * yet.
 */
public final class OnHighwayCondition extends SpringBootCondition {

    /** The state of the highway according to the keys. */
    public enum State {
        ON("some highway.* key is set"),
        UNCONFIGURED("no highway.* key is set"),
        SWITCHED_OFF("highway.enabled is false"),
        WITHOUT_DUBBO("dubbo.enabled is false");

        private final String words;

        State(String words) {
            this.words = words;
        }
    }

    /** Applies a configuration or a bean in some states only. */
    @Target({ElementType.TYPE, ElementType.METHOD})
    @Retention(RetentionPolicy.RUNTIME)
    @Conditional(OnHighwayCondition.class)
    public @interface ConditionalOnHighway {

        /** {@return the states} */
        State[] value() default State.ON;
    }

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        State[] wanted =
                metadata.getAnnotations().get(ConditionalOnHighway.class).getEnumArray("value", State.class);
        State state = state(context.getEnvironment(), context.getClassLoader());
        return new ConditionOutcome(
                List.of(wanted).contains(state),
                ConditionMessage.forCondition("Highway").because(state.words));
    }

    /** The state according to the keys that are known before Dubbo starts. */
    public static State state(Environment environment, @Nullable ClassLoader loader) {
        if ("false".equalsIgnoreCase(environment.getProperty("dubbo.enabled"))) {
            return State.WITHOUT_DUBBO;
        }
        RawSettings settings = environment instanceof ConfigurableEnvironment configurable
                ? SpringSettings.read(configurable).over(dubboProperties(loader))
                : new RawSettings(Map.of());
        if (settings.isEmpty()) {
            return State.UNCONFIGURED;
        }
        return isSwitchedOff(settings) ? State.SWITCHED_OFF : State.ON;
    }

    /** Whether {@code highway.enabled} is {@code false}. */
    public static boolean isSwitchedOff(RawSettings settings) {
        return "false".equals(settings.value("highway.enabled"));
    }

    private static RawSettings dubboProperties(@Nullable ClassLoader loader) {
        Map<String, String> found = new TreeMap<>();
        if (loader != null && ClassUtils.isPresent("org.apache.dubbo.common.utils.ConfigUtils", loader)) {
            ConfigUtils.getProperties(Set.of(loader)).forEach((key, value) -> {
                if (key.toString().startsWith(HighwayKeys.PREFIX)) {
                    found.put(key.toString(), value.toString());
                }
            });
        }
        return RawSettings.of(found, "dubbo.properties");
    }
}
