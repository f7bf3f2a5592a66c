// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import com.google.protobuf.StringValue;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.it.EchoesGrpc.EchoesBlockingStub;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.service.GenericService;

/**
 * The Java snippets of {@code docs/guides}, which {@link GuidesTest} and {@link CallersWithoutTheSdkTest} run and {@code
 * DocsTest} compares.
 */
final class GuideSnippets {

    private GuideSnippets() {}

    /** The service of the guides. */
    public interface SmsService {

        String send(String text);
    }

    static final class EitherCentre {

        private final SmsService east;
        private final SmsService west;

        EitherCentre(SmsService sms) {
            east = Highway.to("east").bind(SmsService.class, sms);
            west = Highway.to("west").bind(SmsService.class, sms);
        }

        String send(String text) {
            try {
                return east.send(text);
            } catch (HighwayException e) {
                if (e.mayHaveRun()) {
                    throw e; // it may have run: a second call could send the text twice
                }
                return west.send(text);
            }
        }
    }

    static Object generic(GenericService sms) {
        String[] types = {"java.lang.String"}; // as the interface has them
        Object[] arguments = {"hello"};
        Object answer = Highway.to("shanghai").call(() -> sms.$invoke("send", types, arguments));
        return answer;
    }

    static CompletableFuture<Object> genericLater(GenericService sms, String[] types, Object[] arguments) {
        GenericService inShanghai = Highway.to("shanghai").bind(GenericService.class, sms);
        CompletableFuture<Object> later = inShanghai.$invokeAsync("send", types, arguments);
        return later;
    }

    static String protobuf(Echoes echoes) {
        Echoes inShanghai = Highway.to("shanghai").bind(Echoes.class, echoes); // a generated interface
        StringValue answer = inShanghai.echo(StringValue.of("hello"));
        return answer.getValue();
    }

    static SmsService plainDubbo(ReferenceConfig<SmsService> reference, String gateway) {
        reference.setInterface(SmsService.class);
        reference.setUrl(gateway); // "dubbo://gateway.zhejiang.example:20880"; with "tri://" by Triple
        reference.setTimeout(3000); // ms; Dubbo's default is 1000
        reference.setRetries(0); // by default Dubbo sends a call up to three times, also one that has run
        SmsService sms = reference.get();
        return sms;
    }

    static String plainCall(SmsService sms) {
        RpcContext.getClientAttachment().setAttachment("highway-island", "shanghai"); // for the next call only
        RpcContext.getClientAttachment().setAttachment("highway-from", "zhejiang/orders/1");
        String answer = sms.send("hello");
        return answer;
    }

    static Object plainGenericCall(GenericService sms) {
        RpcContext.getClientAttachment().setAttachment("highway-island", "shanghai");
        RpcContext.getClientAttachment().setAttachment("highway-from", "zhejiang/orders/1");
        Object answer = sms.$invoke("send", new String[] {"java.lang.String"}, new Object[] {"hello"});
        return answer;
    }

    static ManagedChannel channel(String gateway) {
        ManagedChannel channel = ManagedChannelBuilder.forTarget(gateway) // "gateway.zhejiang.example:50051"
                .usePlaintext()
                .disableRetry() // else grpc-java sends a refused stream again, also one that has run
                .build();
        return channel;
    }

    static EchoesBlockingStub echoes(ManagedChannel channel) {
        Metadata headers = new Metadata();
        headers.put(header("highway-island"), "shanghai");
        headers.put(header("highway-from"), "zhejiang/orders/1");
        EchoesBlockingStub echoes = EchoesGrpc.newBlockingStub(channel) // generated
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
        return echoes;
    }

    static Metadata.Key<String> header(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }

    static String echo(EchoesBlockingStub echoes) {
        try {
            return echoes.withDeadlineAfter(3, TimeUnit.SECONDS)
                    .echo(StringValue.of("hello"))
                    .getValue();
        } catch (StatusRuntimeException e) {
            Metadata trailers = e.getTrailers();
            String reason = trailers == null ? null : trailers.get(header("highway-refused"));
            throw reason == null ? e : new IllegalStateException("the guard refused: " + reason, e);
        }
    }
}
