// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import com.google.protobuf.StringValue;
import java.util.concurrent.CompletableFuture;

/** A service whose methods take messages of protobuf, so that Triple answers an exception as a status with its text. */
public interface HostileService {

    StringValue act(StringValue script);

    CompletableFuture<StringValue> actLater(StringValue script);
}
