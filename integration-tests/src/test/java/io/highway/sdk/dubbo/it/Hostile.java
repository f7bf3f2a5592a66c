// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.TriRpcStatus;

/**
 * What a service may answer after it ran: every text that gateways or the SDK interpret, in every exception, with every
 * response attachment.
 *
 * @param attachments the response attachments it writes
 */
record Hostile(String name, Throwing exception, Map<String, String> attachments) {

    private static final int EXCEPTIONS_OF_A_TEXT = 3;

    private static final List<String> BESIDE_ATTACHMENTS = List.of(
            "status UNAVAILABLE",
            "status PERMISSION_DENIED",
            "rpc " + RpcException.NETWORK_EXCEPTION,
            "rpc " + RpcException.FORBIDDEN_EXCEPTION);

    /** Makes the exception anew for each call. */
    interface Throwing {
        Throwable make();
    }

    /** Every text that gateways, servers and this SDK write when a call did not run. */
    static final List<String> TEXTS = List.of(
            "upstream gateway.zhejiang.test:1 is unavailable",
            "HIGHWAY-NOT-WRITTEN:java.io.IOException: Broken pipe",
            "HIGHWAY-NOT-FORWARDED:draining",
            "HIGHWAY-NOT-FORWARDED: shanghai;draining",
            "HIGHWAY-REFUSED:unsigned; see highway.sign",
            "HIGHWAY-REFUSED: shanghai;unsigned",
            "HIGHWAY-TOO-LARGE:1 bytes",
            "The request cannot be written: no",
            "This invoker has been destroyed!",
            "Service not found:com.foo.Sms",
            "Method not found:send",
            "Invoker for com.foo.Sms not found",
            "Not found exported service: com.foo.Sms:20880",
            "org.apache.dubbo.remoting.RemotingException: Not found exported service: com.foo.Sms:20880",
            "Fail to decode request due to: RpcInvocation [methodName=send, parameterTypes=null]",
            "dubbo router: no route for interface 'com.foo.Sms'",
            "dubbo upstream request: too many connections",
            "HTTP status: 404, invalid content-type: text/html",
            "java.io.IOException: Connection reset by peer",
            "io.netty.channel.StacklessClosedChannelException",
            "Serialize request failed",
            "Http2 exception",
            "No provider available",
            "");

    /** What Triple, Dubbo and this SDK call what they write next to a refusal. */
    static final List<Map<String, String>> ATTACHMENTS = List.of(
            Map.of(),
            Map.of("highway-not-forwarded", "draining"),
            Map.of("highway-not-forwarded", "shanghai;draining"),
            Map.of("Highway-Not-Forwarded", "shanghai;draining"),
            Map.of("highway-refused", "beijing;unsigned"),
            Map.of("highway-refused", "shanghai;unsigned; about com.foo.Sms#send"));

    /** What only the SDK at the provider takes off: without it, this is what the wire contract calls a refusal. */
    static final Map<String, String> REFUSAL = Map.of("highway-refused", "shanghai;unsigned");

    /** Texts that gateways or the SDK interpret, and one that they do not. */
    private static final List<TriRpcStatus.Code> STATUSES = List.of(
            TriRpcStatus.Code.UNAVAILABLE,
            TriRpcStatus.Code.UNIMPLEMENTED,
            TriRpcStatus.Code.NOT_FOUND,
            TriRpcStatus.Code.PERMISSION_DENIED,
            TriRpcStatus.Code.INTERNAL);

    private static final List<Integer> CODES = List.of(
            RpcException.NETWORK_EXCEPTION,
            RpcException.FORBIDDEN_EXCEPTION,
            RpcException.NO_INVOKER_AVAILABLE_AFTER_FILTER,
            RpcException.TIMEOUT_TERMINATE);

    private static Map<String, Throwing> exceptions(String text) {
        Map<String, Throwing> exceptions = new LinkedHashMap<>();
        for (TriRpcStatus.Code code : STATUSES) {
            exceptions.put(
                    "status " + code,
                    () -> TriRpcStatus.fromCode(code).withDescription(text).asException());
        }
        for (int code : CODES) {
            exceptions.put("rpc " + code, () -> new RpcException(code, text));
        }
        exceptions.put("remoting", () -> new RemotingException(null, null, text));
        return exceptions;
    }

    /**
     * Each text in some exception, each exception with some texts, and each attachment next to the exceptions of refusals. Not
     * every pair: what is believed depends on no pair.
     */
    static List<Hostile> all(boolean sdk) {
        List<Hostile> all = new ArrayList<>();
        for (int i = 0; i < TEXTS.size(); i++) {
            String text = TEXTS.get(i);
            List<Map.Entry<String, Throwing>> exceptions =
                    List.copyOf(exceptions(text).entrySet());
            for (int n = 0; n < EXCEPTIONS_OF_A_TEXT; n++) {
                Map.Entry<String, Throwing> one = exceptions.get((i + 3 * n) % exceptions.size());
                all.add(new Hostile(one.getKey() + " \"" + text + "\"", one.getValue(), Map.of()));
            }
        }
        List<Map<String, String>> attachments = new ArrayList<>(ATTACHMENTS);
        if (sdk) {
            attachments.add(REFUSAL);
        }
        for (Map<String, String> some : attachments) {
            Map<String, Throwing> exceptions = exceptions("no");
            for (String one : BESIDE_ATTACHMENTS) {
                all.add(new Hostile(one + " " + some, exceptions.get(one), some));
            }
        }
        return all;
    }

    @Override
    public String toString() {
        return name;
    }
}
