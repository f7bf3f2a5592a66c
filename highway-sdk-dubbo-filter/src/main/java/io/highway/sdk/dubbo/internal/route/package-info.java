/** Decides the destination of a call, with a reason. Pure functions: no network, no clock. */
@NullMarked
package io.highway.sdk.dubbo.internal.route;

import org.jspecify.annotations.NullMarked;
