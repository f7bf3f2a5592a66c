// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.guard;

import io.highway.sdk.IslandId;
import io.highway.sdk.dubbo.connection.channel.Statements;
import io.highway.sdk.dubbo.intent.CalledMethod;
import io.highway.sdk.dubbo.route.RouteHeaders;
import io.highway.sdk.dubbo.signature.CallVerifier;
import io.highway.sdk.dubbo.signature.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A check of calls with route headers. None blocks, except that the signature's waits for the replay store. */
@FunctionalInterface
interface GuardCheck {

    /**
     * All checks in their order; the first refusal wins.
     *
     * <ol>
     *   <li>This island is the call's destination.
     *   <li>The chain of calls is not too long.
     *   <li>The signature is valid, if {@code sign.accept} demands one.
     *   <li>The service has the method.
     * </ol>
     */
    List<GuardCheck> ALL =
            List.of(GuardCheck::destination, GuardCheck::hops, GuardCheck::signature, GuardCheck::method);

    /** Why the call is refused, or null if this check lets it pass. */
    @Nullable
    GuardRefusal refusal(GuardedCall call);

    private static @Nullable GuardRefusal destination(GuardedCall call) {
        String island = call.headers().island();
        String home = call.policy().home();
        return island.equals(home)
                ? null
                : GuardRefusal.of(
                        "wrong-island",
                        "this is " + home + ", the call was for \"" + IslandId.printable(island)
                                + "\"; look at the gateways' routes");
    }

    private static @Nullable GuardRefusal hops(GuardedCall call) {
        int hops = call.origin().hops();
        int max = call.policy().maxHops();
        return hops <= max
                ? null
                : GuardRefusal.of(
                        "too-many-hops", "the call crossed " + hops + " islands and highway.max-hops is " + max);
    }

    private static @Nullable GuardRefusal signature(GuardedCall call) {
        CallVerifier verifier = call.verifier();
        if (verifier == null || call.origin().isPassedOn()) { // then the signature is another call's
            return null;
        }
        RouteHeaders headers = call.headers();
        Verdict verdict = verifier.verify(
                headers.island(),
                headers.from(),
                headers.sign(),
                call.origin().caller(),
                call.invoker().getUrl().getServiceKey(),
                CalledMethod.of(call.invocation()));
        call.verifiedAs(verdict.caller());
        return verdict.reason() == null
                ? null
                : new GuardRefusal(verdict.reason(), verdict.detail(), null, verdict.mayHaveRun());
    }

    private static @Nullable GuardRefusal method(GuardedCall call) {
        String missing = ServiceMethods.missing(call.invoker(), call.invocation());
        return missing == null ? null : GuardRefusal.of(Statements.NO_SUCH_METHOD, missing);
    }
}
