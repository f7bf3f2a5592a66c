// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.server;

import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.IslandId;
import io.highway.sdk.dubbo.internal.call.InboundRouteHeaders;
import io.highway.sdk.dubbo.internal.evidence.NotSentStatements;
import io.highway.sdk.dubbo.internal.network.compression.BoundedInflater;
import io.highway.sdk.dubbo.internal.network.compression.GrpcMessageCompression;
import io.highway.sdk.dubbo.internal.provider.server.PreDecodeCheck.Refusal;
import io.highway.sdk.dubbo.internal.provider.server.PreDecodeCheck.ServiceName;
import io.highway.sdk.internal.Texts;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.EmptyHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.rpc.TriRpcStatus;
import org.jspecify.annotations.Nullable;

/**
 * The headers of one request of a Triple server: how its messages are encoded, for which island they are, and whether the
 * guard lets them pass. Not thread-safe.
 */
final class TripleRequestHeaders {

    static final String ENCODING = "grpc-encoding";
    static final String MESSAGE = "grpc-message";
    static final String GROUP = "tri-service-group";
    static final String VERSION = "tri-service-version";
    private static final String GRPC = "application/grpc";
    private static final String OK = "200";

    private static final Set<String> GENERIC = Set.of(CommonConstants.$INVOKE, CommonConstants.$INVOKE_ASYNC);

    /** What a header counts without its text. */
    private static final int WITHOUT_TEXT = 64;

    private final ServerContext servers;
    private Http2Headers headers;
    private int bytes;
    private final String island;
    private final String encoding;
    private final boolean isGrpc;
    private final boolean isReadable;
    private final boolean isFromAnotherIsland;

    /** The encoding with the dictionary of the caller's island, or null. */
    private final @Nullable String dictionary;

    /** As in {@link #facts()}. */
    private final Map<String, String> facts = new HashMap<>();

    private @Nullable String number;

    /** Reads the headers, and removes an encoding that the SDK undoes: Dubbo gets messages as they are then. */
    TripleRequestHeaders(ServerContext servers, Http2Headers headers) {
        this.servers = servers;
        this.headers = headers;
        headers.remove(InboundRouteHeaders.REQUEST);
        for (Map.Entry<CharSequence, CharSequence> each : headers) {
            bytes += WITHOUT_TEXT + each.getKey().length() + each.getValue().length();
        }
        String named = value(HighwayAttachments.ISLAND);
        this.island = named != null && IslandId.isValid(named) ? named : servers.home();
        String announced = value(ENCODING);
        this.encoding = announced == null ? GrpcMessageCompression.IDENTITY : announced;
        this.dictionary = servers.dictionaryOf(value(HighwayAttachments.FROM));
        String type = value("content-type");
        this.isGrpc = type != null && type.startsWith(GRPC);
        this.isFromAnotherIsland = headers.contains(HighwayAttachments.ISLAND)
                || headers.contains(HighwayAttachments.FROM)
                || headers.contains(HighwayAttachments.SIGN);
        this.isReadable = encoding.equals(dictionary) || BoundedInflater.ENCODINGS.contains(encoding);
        if (hasReadableMessages() && announced != null) {
            headers.set(ENCODING, GrpcMessageCompression.IDENTITY);
        }
    }

    private @Nullable String value(String name) {
        CharSequence value = headers.get(name);
        return value == null ? null : value.toString();
    }

    /** What they count. */
    int bytes() {
        return bytes;
    }

    /** The island that the request is for, or that of this process. */
    String island() {
        return island;
    }

    String encoding() {
        return encoding;
    }

    /** Whether it has gRPC messages that can be read. */
    boolean hasReadableMessages() {
        return isGrpc && isReadable;
    }

    /** Whether it is a gRPC call with route headers. */
    boolean isGrpcFromAnotherIsland() {
        return isGrpc && isFromAnotherIsland;
    }

    /** The encoding of its gRPC messages, printable, if they cannot be read; otherwise null. */
    @Nullable
    String unreadableEncoding() {
        return isGrpc && !isReadable ? Texts.printable(encoding) : null;
    }

    /** The statement of a request whose encoding cannot be read; null if it names no island. */
    @Nullable
    String unreadableStatement() {
        return headers.contains(HighwayAttachments.ISLAND)
                ? island + ";" + NotSentStatements.NO_SUCH_ENCODING + "; the provider reads "
                        + BoundedInflater.accepted(dictionary) + " and not " + Texts.printable(encoding)
                : null;
    }

    /**
     * The first stage of the guard: why the request is refused, or null if it passes. If it must be admitted, too, it gets
     * a secret number instead of what the peer sends, by which the guard finds it.
     */
    @Nullable
    Refusal check(PreDecodeCheck guard, InetSocketAddress peer) {
        boolean isClosed = guard.isClosedTo(peer);
        String repeated = isClosed ? readFacts() : null;
        Refusal refusal = repeated == null
                ? guard.refusalByHeaders(peer, service(), method(), this::ofCall)
                : guard.malformed(peer, "it has " + Texts.printable(repeated) + " twice");
        if (refusal == null && isClosed) {
            number = servers.newNumber();
            headers.set(InboundRouteHeaders.REQUEST, number);
        }
        return refusal;
    }

    /** Returns the name of a header that occurs twice, or null. */
    private @Nullable String readFacts() {
        for (Map.Entry<CharSequence, CharSequence> each : headers) {
            String name = each.getKey().toString();
            if (UndecodedTripleRequest.isFact(name)
                    && facts.put(name, each.getValue().toString()) != null) {
                return name;
            }
        }
        return null;
    }

    /** The secret number of a request that must be admitted, or null. */
    @Nullable
    String number() {
        return number;
    }

    /** The route headers, and those that name a service, as they came. */
    Map<String, String> facts() {
        return facts;
    }

    /** Whether it must be admitted, and only its body names the method. */
    boolean isGeneric() {
        return number != null && isGrpc && GENERIC.contains(method());
    }

    /** How the request is refused if no thread was free for it; null if it has no route headers. */
    @Nullable
    Refusal withoutThread(InetSocketAddress peer) {
        PreDecodeCheck guard = servers.guard();
        return guard == null ? null : guard.withoutThread(peer, service(), method(), this::ofCall);
    }

    /** By the names that Dubbo gives attachments. */
    private @Nullable String ofCall(String name) {
        return value(name.equals(CommonConstants.REMOTE_APPLICATION_KEY) ? "tri-consumer-appname" : name);
    }

    /** Whether nothing of the call runs before its request is whole; asked seldom, so it is not kept. */
    boolean isUnary() {
        PreDecodeCheck guard = servers.guard();
        return guard == null || !guard.isStream(service(), method());
    }

    private ServiceName service() {
        return ServiceName.ofPath(path(), value(GROUP), value(VERSION));
    }

    private String method() {
        String path = path();
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private String path() {
        return String.valueOf(headers.path());
    }

    /** Frees their memory. */
    void forget() {
        headers = EmptyHttp2Headers.INSTANCE;
    }

    /** The headers of a refusal as of a gRPC server: an answer without a message. */
    Http2Headers refusal(TriRpcStatus status) {
        return new DefaultHttp2Headers()
                .status(OK)
                .set(HttpHeaderNames.CONTENT_TYPE, GRPC + "+proto")
                .set("grpc-accept-encoding", BoundedInflater.accepted(dictionary))
                .setInt("grpc-status", status.code.code)
                .set(MESSAGE, TriRpcStatus.encodeMessage(status.description));
    }
}
