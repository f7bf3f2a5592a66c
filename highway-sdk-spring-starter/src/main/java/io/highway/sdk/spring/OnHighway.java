// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring;

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
        boolean any = context.getEnvironment() instanceof ConfigurableEnvironment environment
                && !SpringSettings.read(environment).values().isEmpty();
        if (!any) {
            return ConditionOutcome.noMatch(message.because("no highway.* key is set"));
        }
        return "false".equals(context.getEnvironment().getProperty("highway.enabled"))
                ? ConditionOutcome.noMatch(message.because("highway.enabled is false"))
                : ConditionOutcome.match(message.because("some highway.* key is set"));
    }
}
