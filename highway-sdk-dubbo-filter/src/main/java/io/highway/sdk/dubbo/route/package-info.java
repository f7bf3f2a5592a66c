/** Where does the call go, and why? Pure functions: no network, no clock. */
@NullMarked
package io.highway.sdk.dubbo.route;

import org.jspecify.annotations.NullMarked;
