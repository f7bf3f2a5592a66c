/** Carry it there: the same invocation, serialised once, tried over the endpoints to its island within one time. */
@NullMarked
package io.highway.sdk.dubbo.tunnel;

import org.jspecify.annotations.NullMarked;
