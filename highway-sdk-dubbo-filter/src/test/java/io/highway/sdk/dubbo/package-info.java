@NullMarked
package io.highway.sdk.dubbo;

import org.jspecify.annotations.NullMarked;
