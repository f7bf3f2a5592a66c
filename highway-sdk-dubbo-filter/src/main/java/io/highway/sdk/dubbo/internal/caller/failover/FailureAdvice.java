// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.failover;

import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecision;
import io.highway.sdk.dubbo.internal.evidence.Failure;
import io.highway.sdk.dubbo.internal.evidence.GatewayError;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Advice for failed calls. */
final class FailureAdvice {

    /** A package of the JDK that reflection may not enter. */
    private static final Pattern CLOSED =
            Pattern.compile("module ([\\w.]+) does not \"opens ([\\w.]+)\" to unnamed module");

    private FailureAdvice() {}

    /** Advice for a failure whose text, or cause, is more specific than its reason. */
    static String on(Failure failure, RouteDecision.Tunnel decision, Throwable thrown) {
        String island = decision.island();
        for (Throwable cause = thrown;
                failure.reason() == Reason.SERIALIZATION && cause != null;
                cause = cause.getCause()) {
            Matcher closed = CLOSED.matcher(String.valueOf(cause.getMessage()));
            if (closed.find()) {
                return "Start the JVM that reports it with --add-opens " + closed.group(1) + "/" + closed.group(2)
                        + "=ALL-UNNAMED, which Hessian of Dubbo 3.2 needs on Java 17.";
            }
        }
        if (failure.isWithoutThread()) {
            return "Raise the threads of the provider's pool in " + island
                    + " (dubbo.protocol.threads there), or run more providers, or call less often.";
        }
        if (failure.isBusyThere()) {
            return "Call less often, or ask the operators of " + island + " for a higher rate.";
        }
        if (failure.reason() == Reason.GATEWAY_ERROR) {
            return onGatewayError(failure.gatewayError(), island);
        }
        return failure.isRefusedStream() ? lastGateway(island) : on(failure.reason(), decision);
    }

    private static String onGatewayError(GatewayError error, String island) {
        return switch (error) {
            case RESET -> lastGateway(island);
            case TIME_OUT ->
                "A gateway's time limit is shorter than that of the call: raise it (nginx grpc_read_timeout, HAProxy"
                        + " timeout server, timeout of Envoy's route, 15 s by default), or lower highway.islands."
                        + island + ".timeout.";
            case PAGE ->
                "A page came instead of gRPC: a gateway before " + island
                        + " is in maintenance or sends an error page, or"
                        + " a web server is at its address. Look at highway.gateways.* and at the gateways' logs.";
            case NO_RECEIVER ->
                "Correct the route of the gateway before " + island
                        + ": calls over HTTP/1.1 go to the highway.http.port of its providers.";
            case STATUS ->
                "A gateway before " + island
                        + " has no server for the call, or limits calls, or hides an error of the connection"
                        + " behind it. " + lastGateway(island);
        };
    }

    private static String meanwhile(RouteDecision.Tunnel decision) {
        String keys = "highway.islands." + decision.asked().island();
        String to = decision.asked().calls().fallback().to();
        return switch (to) {
            case IslandPolicy.NONE -> "To be served at home meanwhile write " + keys + ".fallback=home.";
            case IslandPolicy.HOME -> "Meanwhile home serves it if it has a provider (fallback=home).";
            default -> "Meanwhile " + to + " gets the methods of " + keys + ".fallback-methods.";
        };
    }

    private static String lastGateway(String island) {
        return "Look at the log of the last gateway before " + island + " and at the connection behind it. If all calls"
                + " fail so, or many under load, and nginx, APISIX or HAProxy is in front of a Triple provider of Dubbo 3.3"
                + " without the SDK, set dubbo.protocol.triple.connection-initial-window-size=65535 there.";
    }

    /** Advice for a call that a limit of its class does not admit. */
    static String onBusy(String island, TrafficClass calls) {
        String keys = "highway.islands." + island;
        return calls == TrafficClass.BULK
                ? "Make fewer concurrent bulk calls, let them wait longer by " + keys
                        + ".bulk.max-wait and their timeout," + " or raise " + keys + ".bulk.max-concurrent."
                : "Make fewer concurrent calls, or raise the limit that is named: " + keys
                        + ".max-concurrent (calls wait by " + keys
                        + ".max-wait), or the gateway's own; more gateway addresses allow more, too.";
    }

    /** Advice for a reason: one or two sentences. */
    static String on(Reason reason, RouteDecision.Tunnel decision) {
        String island = decision.island();
        return switch (reason) {
            case GATEWAY_DOWN ->
                "Look at the gateway, at what is behind its port, and at gateways.* of highway, of the island or of the"
                        + " service; the SDK reconnects as soon as it accepts. "
                        + meanwhile(decision);
            case BREAKER_OPEN ->
                "Calls are sent again once a heartbeat or a few calls are answered; look at the gateway and the island. "
                        + meanwhile(decision);
            case BUSY -> onBusy(island, TrafficClass.INTERACTIVE);
            case NOT_FORWARDED -> "Look at the gateway's route to " + island + " and at the servers behind it.";
            case REFUSED_THERE ->
                "Compare highway.island and highway.sign.* on both sides; the operators of " + island
                        + " change highway.guard.rules.";
            case NO_SUCH_SERVICE ->
                "The service is being restarted in " + island
                        + ", or is not deployed there with this group and version, or not"
                        + " over this protocol, or the gateway sent the call to another application there: remove instances from the gateway before they stop, deploy it, or route the call"
                        + " elsewhere. " + meanwhile(decision);
            case NO_SUCH_METHOD ->
                "Deploy a release of the service in " + island + " that has this method with these parameter types.";
            case TIMEOUT, NO_TIME_LEFT ->
                "Compare the service's time with highway.islands." + island + ".timeout and the reference's timeout.";
            case TOO_LARGE ->
                "Send less per call; or send it as the messages of a stream (client streaming over triple, as in"
                        + " samples/upload), which has no such limit; or raise highway.islands." + island
                        + ".max-request-size if gateways and connection can take it.";
            case NOT_TUNNELLABLE ->
                "The tunnels dubbo and http carry every attachment as it is (highway.islands." + island + ".tunnel).";
            case SERIALIZATION ->
                "Both sides need the same classes, and highway.islands." + island
                        + ".serialization and highway.islands." + island
                        + ".compression must be what all providers there understand.";
            default -> "Look at the logs of the gateways between here and " + island + " and of the provider.";
        };
    }
}
