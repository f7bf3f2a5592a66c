/** The policy: keys, parser, and the immutable snapshot that calls are decided on. */
@NullMarked
package io.highway.sdk.dubbo.internal.config;

import org.jspecify.annotations.NullMarked;
