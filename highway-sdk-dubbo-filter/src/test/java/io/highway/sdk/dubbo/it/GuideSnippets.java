// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import com.google.protobuf.StringValue;
import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import java.util.concurrent.CompletableFuture;
import org.apache.dubbo.rpc.service.GenericService;

/** The Java snippets of {@code docs/guides}, which {@link GuidesTest} runs and {@code DocsTest} compares. */
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
}
