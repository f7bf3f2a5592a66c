// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.common.logger.Level;
import org.apache.dubbo.remoting.http12.ExceptionHandler;

/** Dubbo would log each refused request as an error; {@link GuardReporter} writes a line per minute. Dubbo 3.2 has no such handlers. */
@Activate
public final class RefusalLogSuppressor implements ExceptionHandler<AlreadyAnsweredException, Object> {

    /** Called by Dubbo. */
    public RefusalLogSuppressor() {}

    @Override
    public Level resolveLogLevel(AlreadyAnsweredException refusal) {
        return Level.DEBUG;
    }
}
