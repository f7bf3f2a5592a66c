// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.quickstart;

import static io.highway.samples.quickstart.Expected.home;
import static io.highway.samples.quickstart.Expected.island;
import static io.highway.samples.quickstart.Expected.refused;
import static io.highway.samples.quickstart.Expected.refusedOnTheWay;
import static io.highway.sdk.dubbo.IntentSource.ATTACHMENT;
import static io.highway.sdk.dubbo.IntentSource.CONFIGURATION;
import static io.highway.sdk.dubbo.IntentSource.INTERFACE;
import static io.highway.sdk.dubbo.IntentSource.KEY;
import static io.highway.sdk.dubbo.IntentSource.METHOD;
import static io.highway.sdk.dubbo.IntentSource.NONE;
import static io.highway.sdk.dubbo.IntentSource.REFERENCE;
import static io.highway.sdk.dubbo.IntentSource.SCOPE;
import static io.highway.sdk.dubbo.TunnelKind.DUBBO;
import static io.highway.sdk.dubbo.TunnelKind.TRIPLE;

import io.highway.samples.quickstart.service.ArchiveService;
import io.highway.samples.quickstart.service.FileService;
import io.highway.samples.quickstart.service.NewsService;
import io.highway.samples.quickstart.service.SmsService;
import io.highway.samples.quickstart.service.billing.BillService;
import io.highway.samples.quickstart.star.Islands;
import io.highway.sdk.Highway;
import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.HighwayScope;
import io.highway.sdk.dubbo.Reason;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.service.GenericService;

/**
 * Every means to route a call, every kind of call, and what happens if it cannot be delivered. Calls start in zhejiang;
 * shanghai and guangdong are reached over the Dubbo protocol and beijing over Triple, as configured in
 * {@code zhejiang.properties}.
 */
final class Tour {

    private final Calls calls;
    private final Islands islands;

    private final SmsService sms;
    private final SmsService smsInShanghai;
    private final SmsService smsHomeFirst;
    private final GenericService genericSms;
    private final FileService files;
    private final ArchiveService archive;
    private final NewsService news;
    private final BillService bills;

    Tour(Home home, Islands islands, Calls calls) {
        this.calls = calls;
        this.islands = islands;
        sms = home.reference(SmsService.class);
        smsInShanghai = home.reference(SmsService.class, Map.of("highway-island", "shanghai"));
        smsHomeFirst =
                home.reference(SmsService.class, Map.of("highway-island", "shanghai", "highway-when", "home-absent"));
        genericSms = home.generic(SmsService.class);
        files = home.reference(FileService.class);
        archive = home.reference(ArchiveService.class);
        news = home.reference(NewsService.class);
        bills = home.reference(BillService.class, Map.of("highway-island", "guangdong"));
    }

    /**
     * Makes the calls; to leave the islands as they are, without those that need parts of them to be down. The others
     * must not cause WARN or ERROR in any log.
     */
    void run(boolean keep) throws IOException {
        whereCallsGo();
        waysToCall();
        whatIsRefused();
        calls.logged(islands.warnings());
        if (!keep) {
            farIslandsDown();
        }
    }

    /** The first that is set decides: attachment, scope, key, method, reference, interface, configuration. */
    @SuppressWarnings("try") // an open scope is used by being open
    private void whereCallsGo() {
        calls.call(home(NONE), "no island named", sms::send);

        calls.call(island("shanghai", DUBBO, ATTACHMENT), "an attachment", text -> {
            RpcContext.getClientAttachment().setAttachment(HighwayAttachments.ISLAND, "shanghai");
            return sms.send(text);
        });
        calls.call(home(NONE), "it is used up", sms::send);

        calls.call(island("shanghai", DUBBO, SCOPE), "a scope", text -> Highway.to("shanghai")
                .call(() -> sms.send(text)));
        calls.call(island("beijing", TRIPLE, SCOPE), "an open scope", text -> {
            try (HighwayScope scope = Highway.to("beijing").open()) {
                return sms.send(text);
            }
        });
        calls.call(
                island("beijing", TRIPLE, SCOPE),
                "a bound proxy",
                Highway.to("beijing").bind(SmsService.class, sms)::send);

        calls.call(island("shanghai", DUBBO, KEY), "a business key", text -> sms.sendTo("310000", text));
        calls.call(island("beijing", TRIPLE, KEY), "an island's id as key", text -> sms.sendTo("beijing", text));
        calls.call(island("beijing", TRIPLE, METHOD), "@Island on a method", sms::sendToCapital);
        calls.call(home(SCOPE), "home is forced", text -> Highway.home().call(() -> sms.sendToCapital(text)));

        calls.call(island("shanghai", DUBBO, REFERENCE), "@Island on a reference", smsInShanghai::send);
        calls.call(island("shanghai", DUBBO, INTERFACE), "absent at home, check=true", files::read);
        calls.call(island("beijing", TRIPLE, CONFIGURATION), "configuration", news::latest);

        calls.call(island("guangdong", DUBBO, SCOPE), "an application of guangdong", text -> Highway.to("guangdong")
                .call(() -> sms.send(text)));
        calls.call(island("guangdong", DUBBO, REFERENCE), "another application of guangdong", bills::charge);

        calls.call(home(REFERENCE), "HOME_ABSENT, home has it", smsHomeFirst::send);
        calls.call(island("beijing", TRIPLE, INTERFACE), "HOME_ABSENT, home has it not", archive::find);
    }

    private void waysToCall() {
        calls.call(island("shanghai", DUBBO, SCOPE), "CompletableFuture", text -> Highway.to("shanghai")
                .call(() -> sms.sendLater(text))
                .get(5, TimeUnit.SECONDS));
        calls.call(island("beijing", TRIPLE, SCOPE), "CompletableFuture", text -> Highway.to("beijing")
                .call(() -> sms.sendLater(text))
                .get(5, TimeUnit.SECONDS));

        for (String island : List.of("shanghai", "beijing")) {
            calls.call(island(island, island.equals("shanghai") ? DUBBO : TRIPLE, SCOPE), "generic", text -> {
                String[] types = {"java.lang.String"};
                return Highway.to(island).call(() -> genericSms.$invoke("send", types, new Object[] {text}));
            });
        }

        calls.call(island("shanghai", DUBBO, SCOPE), "oneway", text -> Highway.to("shanghai")
                .call(() -> {
                    sms.note(text);
                    return sms.nextNote();
                }));

        calls.call(island("beijing", TRIPLE, CONFIGURATION), "streamed word by word", this::stream);
    }

    private String stream(String text) throws Exception {
        CompletableFuture<String> all = new CompletableFuture<>();
        news.read(text, new StreamObserver<>() {
            private String words = "";

            @Override
            public void onNext(String word) {
                words += words.isEmpty() ? word : " " + word;
            }

            @Override
            public void onError(Throwable failure) {
                all.completeExceptionally(failure);
            }

            @Override
            public void onCompleted() {
                all.complete(words);
            }
        });
        return all.get(5, TimeUnit.SECONDS);
    }

    private void whatIsRefused() {
        calls.call(refused(Reason.UNKNOWN_ISLAND, SCOPE), "an unknown island", text -> Highway.to("shangai")
                .call(() -> sms.send(text)));
        calls.call(refused(Reason.DENIED, SCOPE), "a denied method", text -> Highway.to("shanghai")
                .call(() -> sms.purge(text)));
        calls.call(refused(Reason.NEEDS_TRIPLE, SCOPE), "streaming over dubbo", text -> Highway.to("shanghai")
                .callChecked(() -> stream(text)));
        calls.call(refusedOnTheWay(Reason.NO_SUCH_SERVICE, TRIPLE, SCOPE), "beijing has no files", text -> Highway.to(
                        "beijing")
                .call(() -> files.read(text)));
    }

    /** Neither call was sent; shanghai's policy has {@code fallback=home}, beijing's does not. */
    private void farIslandsDown() {
        islands.cutOff("beijing");
        calls.call(
                refusedOnTheWay(Reason.NOT_FORWARDED, TRIPLE, SCOPE), "beijing is down", text -> Highway.to("beijing")
                        .call(() -> sms.send(text)));

        if (!islands.provesForDubbo()) {
            return; // the connection was lost after sending, so the call may have run and does not fall back
        }
        islands.cutOff("shanghai");
        calls.call(home(SCOPE), "shanghai is down, home answers", text -> Highway.to("shanghai")
                .call(() -> sms.send(text)));
    }
}
