// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring;

import io.highway.sdk.dubbo.internal.operate.report.Doctor;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;

/**
 * Keeps Spring Boot's readiness at {@code REFUSING_TRAFFIC} while {@code highway.doctor=fail} waits for an island. Spring
 * Boot accepts traffic at the end of start-up, when the islands may not have answered yet.
 */
record DoctorReadiness(ApplicationContext context, ApplicationModel application)
        implements ApplicationListener<AvailabilityChangeEvent<?>> {

    @Override
    public void onApplicationEvent(AvailabilityChangeEvent<?> event) {
        boolean accepts = event.getState() == ReadinessState.ACCEPTING_TRAFFIC;
        boolean refuses = event.getState() == ReadinessState.REFUSING_TRAFFIC && event.getSource() != this;
        if (!(accepts || refuses) || application.isDestroyed()) { // Dubbo may end before the context does
            return;
        }
        Doctor doctor = Doctor.of(application);
        if (refuses) {
            doctor.whenReady(() -> {}); // the application itself refuses traffic, and will accept it
        } else if (!doctor.isReady()) {
            publish(ReadinessState.REFUSING_TRAFFIC);
            doctor.whenReady(() -> publish(ReadinessState.ACCEPTING_TRAFFIC));
        }
    }

    private void publish(ReadinessState state) {
        AvailabilityChangeEvent.publish(context, this, state);
    }
}
