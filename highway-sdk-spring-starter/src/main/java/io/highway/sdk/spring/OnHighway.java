// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring;

import io.highway.sdk.dubbo.policy.Settings;
import io.highway.sdk.dubbo.policy.Settings.Setting;
import java.util.Map;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Some {@code highway.*} key is set, and {@code highway.enabled} is not {@code false}. */
public final class OnHighway extends SpringBootCondition {

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConditionMessage.Builder message = ConditionMessage.forCondition("Highway");
        Settings settings = context.getEnvironment() instanceof ConfigurableEnvironment environment
                ? SpringSettings.read(environment)
                : Settings.of(Map.of());
        if (settings.values().isEmpty()) {
            return ConditionOutcome.noMatch(message.because("no highway.* key is set"));
        }
        Setting enabled = settings.get("highway.enabled");
        return enabled != null && enabled.value().equals("false")
                ? ConditionOutcome.noMatch(message.because("highway.enabled is false"))
                : ConditionOutcome.match(message.because("some highway.* key is set"));
    }
}
