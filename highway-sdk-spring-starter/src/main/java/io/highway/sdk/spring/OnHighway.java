// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring;

import io.highway.sdk.dubbo.policy.HighwayKeys;
import io.highway.sdk.dubbo.policy.Settings;
import io.highway.sdk.dubbo.policy.Settings.Setting;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.dubbo.common.utils.ConfigUtils;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.ClassUtils;

/**
 * Some {@code highway.*} key is set, in Spring's environment or in {@code dubbo.properties}, and neither
 * {@code highway.enabled} nor {@code dubbo.enabled} is {@code false}. What stands in Dubbo's config centre is not known yet.
 */
public final class OnHighway extends SpringBootCondition {

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConditionMessage.Builder message = ConditionMessage.forCondition("Highway");
        String whyNot = whyNot(context.getEnvironment(), context.getClassLoader());
        return whyNot != null
                ? ConditionOutcome.noMatch(message.because(whyNot))
                : ConditionOutcome.match(message.because("some highway.* key is set"));
    }

    /** Why it is off, or null if it is on. */
    static @Nullable String whyNot(Environment environment, @Nullable ClassLoader loader) {
        Settings settings = environment instanceof ConfigurableEnvironment configurable
                ? SpringSettings.read(configurable).over(dubboProperties(loader))
                : Settings.of(Map.of());
        if (settings.values().isEmpty()) {
            return "no highway.* key is set";
        }
        if (isSwitchedOff(settings)) {
            return "highway.enabled is false";
        }
        return "false".equals(environment.getProperty("dubbo.enabled")) ? "dubbo.enabled is false" : null;
    }

    static boolean isSwitchedOff(Settings settings) {
        Setting enabled = settings.get("highway.enabled");
        return enabled != null && enabled.value().equals("false");
    }

    private static Settings dubboProperties(@Nullable ClassLoader loader) {
        Map<String, String> found = new TreeMap<>();
        if (loader != null && ClassUtils.isPresent("org.apache.dubbo.common.utils.ConfigUtils", loader)) {
            ConfigUtils.getProperties(Set.of(loader)).forEach((key, value) -> {
                if (key.toString().startsWith(HighwayKeys.PREFIX)) {
                    found.put(key.toString(), value.toString());
                }
            });
        }
        return Settings.of(found, "dubbo.properties");
    }
}
