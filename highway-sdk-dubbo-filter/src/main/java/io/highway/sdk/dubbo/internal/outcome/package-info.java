/** Outcomes of calls: one classifier for Dubbo and Triple, sync and async; observation. */
@NullMarked
package io.highway.sdk.dubbo.internal.outcome;

import org.jspecify.annotations.NullMarked;
