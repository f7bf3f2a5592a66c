/** What did the caller ask for? The first answer wins; see {@link io.highway.sdk.dubbo.intent.ReferenceIntents}. */
@NullMarked
package io.highway.sdk.dubbo.intent;

import org.jspecify.annotations.NullMarked;
