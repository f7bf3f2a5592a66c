/** What happened? One classifier for Dubbo and Triple, sync and async. */
@NullMarked
package io.highway.sdk.dubbo.outcome;

import org.jspecify.annotations.NullMarked;
