/** At the destination: check, record the caller, strip. */
@NullMarked
package io.highway.sdk.dubbo.guard;

import org.jspecify.annotations.NullMarked;
