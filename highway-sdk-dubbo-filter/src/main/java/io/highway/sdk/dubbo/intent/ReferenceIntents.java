// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.intent;

import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.HighwayContext;
import io.highway.sdk.HighwayRoute;
import io.highway.sdk.Island;
import io.highway.sdk.IslandId;
import io.highway.sdk.dubbo.policy.Policy;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcContextAttachment;
import org.jspecify.annotations.Nullable;

/**
 * What the calls of one reference ask for. First answer wins:
 *
 * <ol>
 *   <li>the attachment {@code highway-island} of this call, which is used up by asking
 *   <li>the innermost scope or bound proxy
 *   <li>the {@code @IslandKey} argument
 *   <li>the method's {@code @Island}
 *   <li>the reference's, as its parameter {@code highway-island}
 *   <li>the interface's {@code @Island}
 *   <li>{@code highway.services.<interface>}
 *   <li>home
 * </ol>
 *
 * Everything that does not change from call to call is read once. Thread-safe.
 */
public final class ReferenceIntents {

    /** The reference parameter that carries {@link Island#when()}: {@code always} or {@code local-absent}. */
    public static final String WHEN_PARAMETER = "highway-when";

    private final URL consumerUrl;
    private final String interfaceName;
    private final @Nullable MethodIntents methods;
    private final @Nullable Intent bound;

    private ReferenceIntents(URL consumerUrl, @Nullable MethodIntents methods, @Nullable Intent bound) {
        this.consumerUrl = consumerUrl;
        this.interfaceName = consumerUrl.getServiceInterface();
        this.methods = methods;
        this.bound = bound;
    }

    /** Reads what the reference with this consumer URL says; the interface's class may be absent in generic use. */
    public static ReferenceIntents of(URL consumerUrl) {
        Class<?> type = load(consumerUrl.getServiceInterface());
        String island = consumerUrl.getParameter(HighwayAttachments.ISLAND);
        Intent bound = null;
        if (island != null) {
            String what =
                    "reference parameter " + HighwayAttachments.ISLAND + " of " + consumerUrl.getServiceInterface();
            IslandId.requireValid(what, island);
            bound = Intent.reference(island, parseWhen(consumerUrl.getParameter(WHEN_PARAMETER)));
        } else if (type != null && type.isAnnotationPresent(Island.class)) {
            bound = Intent.of(IntentSource.INTERFACE, type.getAnnotation(Island.class));
        }
        return new ReferenceIntents(consumerUrl, type == null ? null : MethodIntents.read(type), bound);
    }

    /** What this call asks for. Takes the attachment away, so that it serves this call only. */
    public Intent resolve(Invocation invocation, Policy policy) {
        RpcContextAttachment attachments = RpcContext.getClientAttachment();
        Object attached = attachments.getObjectAttachment(HighwayAttachments.ISLAND);
        if (attached != null) {
            attachments.removeAttachment(HighwayAttachments.ISLAND);
            return Intent.attachment(attached.toString());
        }
        HighwayRoute route = HighwayContext.currentRoute();
        if (route != null) {
            return Intent.scope(route);
        }
        Intent method = methods == null ? null : methods.resolve(invocation, consumerUrl);
        if (method != null) {
            return method;
        }
        return standing(policy);
    }

    /** What holds for every call that says nothing itself, or {@link Intent#NONE}. */
    Intent standing(Policy policy) {
        return bound != null ? bound : policy.serviceIntent(interfaceName);
    }

    /** Everything that is said from the start: by annotations, parameters and configuration. */
    public Stream<Intent> declared(Policy policy) {
        return Stream.concat(Stream.of(standing(policy)), methods == null ? Stream.empty() : methods.annotated());
    }

    /** Whether every call has a destination of its own, so that home needs no provider of the service. */
    public boolean isBound(Policy policy) {
        boolean asked = standing(policy).target().isPresent() || (methods != null && methods.isComplete());
        return asked && declared(policy).noneMatch(intent -> policy.home().equals(intent.asked()));
    }

    private static Island.When parseWhen(@Nullable String when) {
        if (when == null) {
            return Island.When.ALWAYS;
        }
        return switch (when.toLowerCase(Locale.ROOT)) {
            case "always" -> Island.When.ALWAYS;
            case "local-absent" -> Island.When.LOCAL_ABSENT;
            default ->
                throw new IllegalArgumentException("reference parameter " + WHEN_PARAMETER + ": \"" + when
                        + "\" is not allowed; allowed are always, local-absent");
        };
    }

    private static @Nullable Class<?> load(String interfaceName) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        try {
            return Class.forName(
                    interfaceName, false, loader == null ? ReferenceIntents.class.getClassLoader() : loader);
        } catch (ClassNotFoundException | LinkageError e) {
            return null;
        }
    }
}
