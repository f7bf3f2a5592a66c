/** Real providers, gateways and registries on loopback. */
@NullMarked
package io.highway.sdk.dubbo.it;

import org.jspecify.annotations.NullMarked;
