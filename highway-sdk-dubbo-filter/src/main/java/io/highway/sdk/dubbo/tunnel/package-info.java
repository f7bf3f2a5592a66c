/** Carry it there: gateway addresses, shared connections, choice of protocol, retries. */
@NullMarked
package io.highway.sdk.dubbo.tunnel;

import org.jspecify.annotations.NullMarked;
