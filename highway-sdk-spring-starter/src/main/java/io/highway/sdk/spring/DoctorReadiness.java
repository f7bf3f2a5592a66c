// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring;

import io.highway.sdk.dubbo.internal.ops.Doctor;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;

/**
 * Keeps Spring Boot's readiness at {@code REFUSING_TRAFFIC} while {@code highway.doctor=fail} waits for an island. Spring
 * Boot accepts traffic at the end of start-up, when the islands may not have answered yet.
 */
final class DoctorReadiness implements ApplicationListener<AvailabilityChangeEvent<?>> {

    private final ApplicationContext context;
    private final ApplicationModel application;

    DoctorReadiness(ApplicationContext context, ApplicationModel application) {
        this.context = context;
        this.application = application;
    }

    @Override
    public void onApplicationEvent(AvailabilityChangeEvent<?> event) {
        if (event.getState() != ReadinessState.ACCEPTING_TRAFFIC) {
            return;
        }
        Doctor doctor = Doctor.of(application);
        if (!doctor.isReady()) {
            AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
            doctor.whenReady(() -> AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC));
        }
    }
}
