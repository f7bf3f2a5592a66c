// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.server;

import java.net.InetSocketAddress;
import java.util.function.UnaryOperator;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.remoting.Constants;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/**
 * The guard, as the servers of all protocols ask it about a request of which nothing is decoded. One per framework.
 * Thread-safe.
 */
public interface PreDecodeCheck {

    /** The guard of a framework, or null as long as none of its services was exported. */
    static @Nullable PreDecodeCheck of(FrameworkModel framework) {
        return framework.getBeanFactory().getBean(PreDecodeCheck.class);
    }

    /**
     * Whether a request of this peer must be admitted before anything of it is decoded: the peer is not known as home,
     * and a guard or signing key is set. For event loops.
     */
    boolean isClosedTo(InetSocketAddress peer);

    /**
     * Checks what needs headers only and no state, before a body is buffered. For event loops.
     *
     * @param service that the request names, exported or not
     * @param headers the value of a header, or null; {@code remote.application} is the sender
     * @return why it is refused, or null if it may go on
     */
    @Nullable
    Refusal refusalByHeaders(
            InetSocketAddress peer, ServiceName service, String method, UnaryOperator<@Nullable String> headers);

    /**
     * Makes all checks, once. May wait for a replay store, so it is not for event loops.
     *
     * @param call what is known of the request: attachments, method, parameter types, and of a generic call what it names
     * @return why it is refused, or null if it is admitted
     */
    @Nullable
    Refusal admit(InetSocketAddress peer, ServiceName service, RpcInvocation call);

    /**
     * Reports a request for which no thread was free: it has not begun. For event loops.
     *
     * @return how it is refused, or null if it has no route headers, or is for a service that is not exported
     */
    @Nullable
    Refusal withoutThread(
            InetSocketAddress peer, ServiceName service, String method, UnaryOperator<@Nullable String> headers);

    /** Reports a request that cannot be read, or contradicts itself, and is refused. */
    Refusal malformed(InetSocketAddress peer, String why);

    /** An admitted call that has not reached its service will not reach it any more. */
    void ended(RpcInvocation call);

    /** Whether a path of Triple leads to a method of a stream, which may run before its request is whole. */
    boolean isStream(ServiceName service, String method);

    /**
     * The name of a service in a request.
     *
     * @param port that received it, or {@link #ANY_PORT}
     */
    record ServiceName(int port, String path, @Nullable String group, @Nullable String version) {

        /** That of an exported service. */
        public static ServiceName of(URL exported) {
            int port = exported.getProtocol().equals(CommonConstants.TRIPLE)
                    ? ANY_PORT
                    : exported.getParameter(Constants.BIND_PORT_KEY, exported.getPort());
            return new ServiceName(port, exported.getPath(), exported.getGroup(), exported.getVersion());
        }

        /** That of a request of Triple, {@code /path/method}, as Dubbo finds it. */
        public static ServiceName ofPath(String path, @Nullable String group, @Nullable String version) {
            int start = Math.min(1, path.length());
            String service = path.substring(start, Math.max(start, path.lastIndexOf('/')));
            return new ServiceName(ANY_PORT, service, group, version);
        }

        /** {@code [group/]path[:version]}, as Dubbo writes it. */
        public String key() {
            return URL.buildKey(path, group, NO_VERSION.equals(version) ? null : version);
        }

        private static final String NO_VERSION = "0.0.0";

        /** Of Triple, whose services are the same on all ports. */
        public static final int ANY_PORT = 0;
    }

    /**
     * Why a request is refused.
     *
     * @param reason a word, such as {@code unsigned}
     * @param message the reason and its detail, for people
     * @param statement the value of {@code highway-refused}, or null if nothing is proved
     */
    record Refusal(String reason, String message, @Nullable String statement) {}
}
