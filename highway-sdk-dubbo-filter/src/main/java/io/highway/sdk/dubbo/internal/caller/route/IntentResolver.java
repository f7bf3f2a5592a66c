// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.route;

import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.HighwayContext;
import io.highway.sdk.HighwayRoute;
import io.highway.sdk.Island;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.Intent;
import io.highway.sdk.dubbo.IntentSource;
import io.highway.sdk.dubbo.internal.call.DubboCall;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.internal.Texts;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcContextAttachment;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the intents of one reference's calls. The first answer wins:
 *
 * <ol>
 *   <li>the attachment {@code highway-island} of this call, which resolving removes
 *   <li>the innermost scope or bound proxy
 *   <li>the {@code @IslandKey} argument
 *   <li>the method's {@code @Island}
 *   <li>the reference's, as its parameter {@code highway-island}
 *   <li>the interface's {@code @Island}
 *   <li>{@code highway.services.<interface>}
 *   <li>home, unless {@code highway.services.<interface>.require-island} is true
 * </ol>
 *
 * Everything that does not depend on the call is read once. Thread-safe.
 */
public final class IntentResolver {

    /** The reference parameter that carries {@link Island#when()}: {@code always} or {@code home-absent}. */
    public static final String WHEN_PARAMETER = ReferenceParameters.WHEN;

    private final URL consumerUrl;
    private final String interfaceName;
    private final @Nullable MethodIntents methods;
    private final @Nullable Intent reference;
    private final @Nullable Intent type;

    private IntentResolver(
            URL consumerUrl, @Nullable MethodIntents methods, @Nullable Intent reference, @Nullable Intent type) {
        this.consumerUrl = consumerUrl;
        this.interfaceName = consumerUrl.getServiceInterface();
        this.methods = methods;
        this.reference = reference;
        this.type = type;
    }

    /**
     * Reads the annotations and parameters of the reference with this consumer URL.
     *
     * @param type the service's interface, or null if a generic reference has none
     * @throws HighwayConfigurationException if a parameter or annotation is invalid
     */
    public static IntentResolver of(@Nullable Class<?> type, URL consumerUrl) {
        Intent reference = ReferenceParameters.read(consumerUrl);
        return new IntentResolver(
                consumerUrl, type == null ? null : MethodIntents.read(type), reference, ofInterface(type, reference));
    }

    /** The intent of the interface's annotation; an invalid one is an error unless the reference has an intent. */
    private static @Nullable Intent ofInterface(@Nullable Class<?> type, @Nullable Intent reference) {
        try {
            Island annotation = type == null ? null : InheritedAnnotations.ofInterface(type);
            return annotation == null ? null : Intent.of(IntentSource.INTERFACE, annotation.value(), annotation.when());
        } catch (HighwayConfigurationException e) {
            if (reference == null) {
                throw e;
            }
            return Intent.undetermined(IntentSource.INTERFACE, e.problem());
        }
    }

    /** The intent of this call. Removes the attachment, so that it applies to this call only. */
    public Intent resolve(Invocation invocation, Policy policy) {
        return resolve(invocation, policy, IntentTrace.NONE);
    }

    /** As {@link #resolve(Invocation, Policy)}, observed by {@code trace}. */
    public Intent resolve(Invocation invocation, Policy policy, IntentTrace trace) {
        Intent asked = ask(invocation, trace);
        if (asked == null) {
            Intent configured = policy.serviceIntent(interfaceName);
            asked = trace.heard(IntentSource.CONFIGURATION, configured.isNone() ? null : configured);
        }
        return asked != null ? asked : Intent.NONE;
    }

    /** As {@link #resolve}, without configuration. */
    public Intent resolveUnconfigured(Invocation invocation) {
        Intent asked = ask(invocation, IntentTrace.NONE);
        return asked != null ? asked : Intent.NONE;
    }

    /** The intent from code and parameters, or null if there is none. */
    private @Nullable Intent ask(Invocation invocation, IntentTrace trace) {
        Intent asked = trace.heard(IntentSource.ATTACHMENT, attached());
        if (asked != null) {
            return asked;
        }
        asked = trace.heard(IntentSource.SCOPE, scoped());
        if (asked != null) {
            return asked;
        }
        Intent misplaced = misplaced(RpcContext.getClientAttachment());
        if (misplaced != null) {
            return trace.heard(IntentSource.ATTACHMENT, misplaced);
        }
        if (methods != null) {
            MethodIntents.MethodIntent method = methods.of(invocation, consumerUrl);
            asked = trace.heard(
                    IntentSource.KEY, method == null ? null : method.key(new DubboCall(invocation, consumerUrl)));
            if (asked != null) {
                return asked;
            }
            asked = trace.heard(IntentSource.METHOD, method == null ? null : method.annotated());
            if (asked != null) {
                return asked;
            }
        }
        asked = trace.heard(IntentSource.REFERENCE, reference);
        return asked != null ? asked : trace.heard(IntentSource.INTERFACE, type);
    }

    private static @Nullable Intent attached() {
        RpcContextAttachment attachments = RpcContext.getClientAttachment();
        Object attached = attachments.getObjectAttachment(HighwayAttachments.ISLAND);
        if (attached == null) {
            return null;
        }
        attachments.removeAttachment(HighwayAttachments.ISLAND);
        return Intent.of(IntentSource.ATTACHMENT, attached.toString());
    }

    /**
     * The intent of an attachment that names an island in a place or with a name that nothing reads, or null. Those of a
     * caller, which has sent its own island too, may still be in the context of the request that is being served.
     */
    private static @Nullable Intent misplaced(RpcContextAttachment attachments) {
        Map<String, Object> client = attachments.getObjectAttachments();
        if (!client.isEmpty()) {
            for (String name : client.keySet()) {
                if (ReferenceParameters.isMisspelt(name)) {
                    return Intent.undetermined(
                            IntentSource.ATTACHMENT,
                            "there is no attachment \"" + Texts.printable(name) + "\"; did you mean \""
                                    + HighwayAttachments.ISLAND + "\"?");
                }
            }
        }
        Map<String, Object> server = RpcContext.getServerAttachment().getObjectAttachments();
        return server.containsKey(HighwayAttachments.ISLAND) && !server.containsKey(HighwayAttachments.FROM)
                ? Intent.undetermined(
                        IntentSource.ATTACHMENT,
                        HighwayAttachments.ISLAND
                                + " is a server attachment, which belongs to the request being served")
                : null;
    }

    private static @Nullable Intent scoped() {
        HighwayRoute route = HighwayContext.capture().route();
        return route == null ? null : Intent.of(IntentSource.SCOPE, route.island());
    }

    /** The intent of the reference or its interface, or null if there is none. */
    private @Nullable Intent bound() {
        return reference != null ? reference : type;
    }

    /** The intent of calls that state no intent themselves, or {@link Intent#NONE}. */
    Intent defaultIntent(Policy policy) {
        Intent bound = bound();
        return bound != null ? bound : policy.serviceIntent(interfaceName);
    }

    /** Whether calls that name no island are refused. */
    public boolean requiresIsland(Policy policy) {
        return policy.requiresIsland(interfaceName);
    }

    /** All declared intents: from annotations, parameters and configuration. */
    public Stream<Intent> declared(Policy policy) {
        return Stream.concat(Stream.of(defaultIntent(policy)), annotatedMethods());
    }

    /** As {@link #declared}, without configuration. */
    public Stream<Intent> declaredUnconfigured() {
        return Stream.concat(Stream.ofNullable(bound()), annotatedMethods());
    }

    private Stream<Intent> annotatedMethods() {
        return methods == null ? Stream.empty() : methods.annotated();
    }

    /** Whether every call names its destination, so that home needs no provider of the service. */
    public boolean isBound(Policy policy) {
        boolean asked = defaultIntent(policy).asked() != null
                || (methods != null && methods.isComplete())
                || requiresIsland(policy);
        return asked && declared(policy).noneMatch(intent -> policy.home().equals(intent.asked()));
    }
}
