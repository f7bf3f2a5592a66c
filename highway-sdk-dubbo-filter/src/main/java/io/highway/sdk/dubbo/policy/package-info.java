/** What holds for a destination? An immutable snapshot, its keys and their exact errors. */
@NullMarked
package io.highway.sdk.dubbo.policy;

import org.jspecify.annotations.NullMarked;
