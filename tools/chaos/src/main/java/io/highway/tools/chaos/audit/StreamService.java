// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.audit;

import org.apache.dubbo.common.stream.StreamObserver;

/** Over Triple only. */
public interface StreamService {

    /** Is in the ledger, and neither answers nor ends. */
    void idle(Integer call, StreamObserver<String> answers);
}
