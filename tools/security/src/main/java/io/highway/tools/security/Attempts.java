// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security;

import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.fixtures.faults.FaultyLinks;
import io.highway.tools.gateways.Island;
import io.highway.tools.security.attacker.Frame;
import io.highway.tools.security.attacker.PlainClient;
import io.highway.tools.security.attacker.Replayer;
import io.highway.tools.security.attacker.Signer;
import io.highway.tools.security.client.Caller;
import io.highway.tools.security.service.AccountService;
import io.highway.tools.security.service.HomeService;
import io.highway.tools.security.star.Bankside;
import io.highway.tools.security.star.Provider;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.dubbo.rpc.service.GenericService;

/** What is attempted, one after another, and what ran of it. */
final class Attempts {

    private static final List<String> TUNNELS = List.of("dubbo", "triple");
    private static final List<String> TEXT = List.of("java.lang.String");
    private static final String ISLAND = "shanghai";
    private static final String ZHEJIANG_KEY = "zhejiang-2026";
    private static final String BEIJING_KEY = "beijing-2026";
    private static final String FROM_ORDERS = "zhejiang/orders/1";
    private static final double TOLERANCE = 0.05;

    /** A quick run is a test, and may find a busy machine, on which Redis answers less than 2,000 calls a second. */
    private static final double QUICK_TOLERANCE = 0.5;

    private static final int SETTLE_MILLIS = 300;

    private final Bankside bank;
    private final boolean quick;
    private final PrintStream out;
    private final List<Row> rows = new ArrayList<>();

    Attempts(Bankside bank, boolean quick, PrintStream out) {
        this.bank = bank;
        this.quick = quick;
        this.out = out;
    }

    /** Calls of an attempt, which may fail. */
    private interface Calls {
        void make() throws Exception;
    }

    List<Row> all() throws Exception {
        out.println("%-62s %-7s %6s %9s %10s  %s"
                .formatted("attempt", "tunnel", "calls", "executed", "expected", "refused"));
        for (String tunnel : TUNNELS) {
            intended(tunnel);
            atHome(tunnel);
            replays(tunnel);
            withoutHeaders(tunnel);
            forgeries(tunnel);
            clocks(tunnel);
            generic(tunnel);
            otherProcess(tunnel);
            unauthorised(tunnel);
            shadow(tunnel);
        }
        flood();
        return rows;
    }

    private void attempt(String name, String tunnel, Provider at, int calls, int expected, Calls call)
            throws Exception {
        attemptAll(name, tunnel, at, calls, expected, () -> {
            for (int i = 0; i < calls; i++) {
                call.make();
            }
        });
    }

    private void attemptAll(String name, String tunnel, Provider at, int calls, int expected, Calls attempt)
            throws Exception {
        int before = at.executed().size();
        int refusedBefore = at.refused(0).size();
        attempt.make();
        TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
        int executed = at.executed().size() - before;
        List<String> refused = at.refused(refusedBefore + calls - executed);
        add(new Row(
                name,
                tunnel,
                calls,
                executed,
                expected,
                expected,
                reasons(refused.subList(refusedBefore, refused.size()))));
    }

    /** Why the guard refused calls, with the number of each reason. */
    private static String reasons(List<String> refused) {
        Map<String, Integer> reasons = new TreeMap<>();
        refused.forEach(reason -> reasons.merge(reason, 1, Integer::sum));
        return reasons.entrySet().stream()
                .map(reason -> reason.getValue() + " " + reason.getKey())
                .collect(Collectors.joining(", "));
    }

    private void add(Row row) {
        rows.add(row);
        out.println(row);
    }

    private int times(int all) {
        return quick ? all / 10 : all;
    }

    private static String url(String tunnel, int port) {
        return (tunnel.equals("dubbo") ? "dubbo" : "tri") + "://shanghai.test:" + port;
    }

    private void intended(String tunnel) throws Exception {
        int calls = times(200);
        try (Caller orders = Caller.start("zhejiang", "orders", tunnel, bank.gateway(), ZHEJIANG_KEY)) {
            attempt(
                    "calls as intended, through the gateway",
                    tunnel,
                    bank.first(),
                    calls,
                    calls,
                    () -> orders.accounts().balance("account-1"));
        }
    }

    /** Calls of home need no headers. They are not in the ledger, which is about other islands. */
    private void atHome(String tunnel) {
        int calls = times(50);
        int port = tunnel.equals("dubbo") ? bank.first().dubbo() : bank.first().triple();
        int answered = 0;
        try (PlainClient home = new PlainClient("counter", url(tunnel, port))) {
            HomeService service = home.reference(HomeService.class);
            for (int i = 0; i < calls; i++) {
                answered += PlainClient.call(Map.of(), service::ping) == null ? 1 : 0;
            }
        }
        add(new Row("calls of home, without headers", tunnel, calls, answered, calls, calls, ""));
    }

    private void replays(String tunnel) throws Exception {
        List<byte[]> connections = new ArrayList<>();
        try (FaultyLinks links = new FaultyLinks();
                FaultyLink link = recording(links);
                Caller orders = Caller.start(
                        "zhejiang", "orders", tunnel, "gateway.zhejiang.test:" + link.port(), ZHEJIANG_KEY)) {
            attempt("one call that an attacker records", tunnel, bank.first(), 1, 1, () -> orders.accounts()
                    .balance("account-1"));
            connections.addAll(link.recorded());
        }
        if (tunnel.equals("dubbo")) {
            replayFrames(connections);
        } else {
            byte[] connection = connections.stream()
                    .max((a, b) -> Integer.compare(a.length, b.length))
                    .orElseThrow();
            int calls = times(100);
            attempt(
                    "the recorded connection, again",
                    tunnel,
                    bank.first(),
                    calls,
                    0,
                    () -> Replayer.sendConnection(Island.port(bank.gateway()), connection));
        }
    }

    private FaultyLink recording(FaultyLinks links) {
        FaultyLink link = links.link(0, Island.port(bank.gateway()));
        link.record();
        return link;
    }

    private void replayFrames(List<byte[]> connections) throws Exception {
        Frame frame = connections.stream()
                .flatMap(connection -> Frame.calls(connection).stream())
                .filter(call -> call.contains("balance"))
                .findFirst()
                .orElseThrow();
        int calls = times(1000);
        int front = bank.first().frontDubbo();
        replay("the recorded call, again", calls, front, frame);
        replay("the recorded call with another method", calls, front, frame.with("balance", "payment"));
        replay("the recorded call with other arguments", calls, front, frame.with("account-1", "account-2"));
        replay("the recorded call to another service", calls, front, frame.with("AccountService", "ReserveService"));
        Map<String, String> headers = new HashMap<>();
        for (String name : List.of("highway-island", "highway-from", "highway-sign")) {
            headers.put(name, frame.attachment(name));
        }
        for (String tunnel : TUNNELS) {
            withHeaders("the headers of the recorded call, with another method", tunnel, bank.first(), headers);
        }
    }

    private void replay(String name, int calls, int port, Frame frame) throws Exception {
        attemptAll(name, "dubbo", bank.first(), calls, 0, () -> Replayer.send(port, frame, calls));
    }

    private void withHeaders(String name, String tunnel, Provider at, Map<String, String> headers) throws Exception {
        withHeaders(name, tunnel, at, "orders", headers);
    }

    private void withHeaders(String name, String tunnel, Provider at, String application, Map<String, String> headers)
            throws Exception {
        attack(
                name,
                tunnel,
                at,
                application,
                times(100),
                0,
                accounts -> PlainClient.call(headers, () -> accounts.payment("account-2")));
    }

    /** Calls without the SDK. */
    private interface Attack {
        void make(AccountService accounts) throws Exception;
    }

    private void attack(
            String name, String tunnel, Provider at, String application, int calls, int expected, Attack attack)
            throws Exception {
        try (PlainClient attacker = new PlainClient(application, url(tunnel, at.front(tunnel)))) {
            AccountService accounts = attacker.reference(AccountService.class);
            attempt(name, tunnel, at, calls, expected, () -> attack.make(accounts));
        }
    }

    private void withoutHeaders(String tunnel) throws Exception {
        withHeaders("calls without headers through nginx stream", tunnel, bank.first(), Map.of());
        Map<String, String> unsigned = Map.of("highway-island", ISLAND, "highway-from", FROM_ORDERS);
        withHeaders("unsigned calls that claim zhejiang/orders", tunnel, bank.first(), unsigned);
        withHeaders("unsigned calls that pass on headers of orders", tunnel, bank.first(), "other", unsigned);
        withHeaders(
                "calls that pass on signed headers of orders",
                tunnel,
                bank.first(),
                "other",
                headers(signer(ZHEJIANG_KEY), FROM_ORDERS, "payment", 0));
    }

    /** Calls of balance with headers that are signed anew for each. */
    private void signed(
            String name, String tunnel, Provider at, boolean served, Signer signer, String from, int seconds)
            throws Exception {
        int calls = times(100);
        String application = from.substring(from.indexOf('/') + 1, from.lastIndexOf('/'));
        attack(name, tunnel, at, application, calls, served ? calls : 0, accounts -> {
            awaitMiddleOfSecond();
            PlainClient.call(headers(signer, from, "balance", seconds), () -> accounts.balance("account-1"));
        });
    }

    /** The times of signatures are whole seconds: none begins between a signature and its check. */
    private static void awaitMiddleOfSecond() throws InterruptedException {
        long millis = System.currentTimeMillis() % 1000;
        if (millis > 700) {
            TimeUnit.MILLISECONDS.sleep(1000 - millis);
        }
    }

    private static Map<String, String> headers(Signer signer, String from, String method, int seconds) {
        return signer.headers(ISLAND, from, AccountService.class.getName(), method, TEXT, seconds);
    }

    private static Signer signer(String keyId) {
        return new Signer(keyId, Bankside.secret(keyId));
    }

    private void forgeries(String tunnel) throws Exception {
        Provider at = bank.first();
        signed("calls signed by hand, for comparison", tunnel, at, true, signer(ZHEJIANG_KEY), FROM_ORDERS, 0);
        signed("the key of beijing claims zhejiang", tunnel, at, false, signer(BEIJING_KEY), FROM_ORDERS, 0);
        signed("the key of zhejiang claims beijing", tunnel, at, false, signer(ZHEJIANG_KEY), "beijing/orders/1", 0);
        signed(
                "a key that shanghai does not know",
                tunnel,
                at,
                false,
                new Signer("guangdong-2026", "guessed"),
                FROM_ORDERS,
                0);
        signed("a guessed secret", tunnel, at, false, new Signer(ZHEJIANG_KEY, "guessed"), FROM_ORDERS, 0);
    }

    private void clocks(String tunnel) throws Exception {
        for (int seconds : new int[] {-61, 61, -50, 50}) {
            boolean served = Math.abs(seconds) <= 60;
            signed(
                    "a clock that differs by " + (seconds > 0 ? "+" : "") + seconds + " s",
                    tunnel,
                    bank.first(),
                    served,
                    signer(ZHEJIANG_KEY),
                    FROM_ORDERS,
                    seconds);
        }
    }

    private void generic(String tunnel) throws Exception {
        int calls = times(100);
        Provider at = bank.first();
        Signer signer = signer(ZHEJIANG_KEY);
        try (PlainClient attacker = new PlainClient("orders", url(tunnel, at.front(tunnel)))) {
            GenericService accounts = attacker.generic(AccountService.class);
            for (String signedFor : List.of("balance", "$invoke", "payment")) {
                boolean same = signedFor.equals("payment");
                attempt(
                        "a generic call of payment, signed for " + signedFor,
                        tunnel,
                        at,
                        calls,
                        same ? calls : 0,
                        () -> PlainClient.call(
                                headers(signer, FROM_ORDERS, signedFor, 0),
                                () -> PlainClient.invoke(accounts, "payment", "account-1")));
            }
        }
    }

    /** The first process serves it once; the others are asked again with the same headers. */
    private void otherProcess(String tunnel) throws Exception {
        Map<String, String> headers = headers(signer(ZHEJIANG_KEY), FROM_ORDERS, "balance", 0);
        replayTo("one call", tunnel, bank.first(), headers, 1, 1);
        replayTo("the same call, to another process with the replay store", tunnel, bank.second(), headers, 100, 0);
        replayTo("the same call, to a process without a replay store", tunnel, bank.shadow(), headers, 100, 1);
    }

    private void replayTo(String name, String tunnel, Provider at, Map<String, String> headers, int all, int allowed)
            throws Exception {
        int calls = all == 1 ? 1 : times(all);
        attack(
                name,
                tunnel,
                at,
                "orders",
                calls,
                allowed,
                accounts -> PlainClient.call(headers, () -> accounts.balance("account-1")));
    }

    private void unauthorised(String tunnel) throws Exception {
        int calls = times(100);
        try (Caller stranger = Caller.start("zhejiang", "stranger", tunnel, bank.gateway(), ZHEJIANG_KEY);
                Caller beijing = Caller.start("beijing", "orders", tunnel, bank.gateway(), BEIJING_KEY);
                Caller flood = Caller.start("zhejiang", "flood", tunnel, bank.gateway(), ZHEJIANG_KEY);
                Caller orders = Caller.start("zhejiang", "orders", tunnel, bank.gateway(), ZHEJIANG_KEY)) {
            refused("a caller that no rule allows", tunnel, calls, () -> stranger.accounts()
                    .balance("account-1"));
            refused("another island that no rule allows", tunnel, calls, () -> beijing.accounts()
                    .balance("account-1"));
            refused("a method that the caller's rule does not name", tunnel, calls, () -> flood.accounts()
                    .payment("account-1"));
            refused("a method that a rule denies", tunnel, calls, () -> orders.reserves()
                    .payment("account-1"));
        }
    }

    private void refused(String name, String tunnel, int calls, Runnable call) throws Exception {
        attempt(name, tunnel, bank.first(), calls, 0, () -> PlainClient.call(Map.of(), call));
    }

    private void shadow(String tunnel) throws Exception {
        int calls = times(100);
        Provider at = bank.shadow();
        int before = at.audited(0, SHADOW).size();
        String front = "shanghai.test:" + at.front(tunnel);
        try (Caller stranger = Caller.start("zhejiang", "stranger", tunnel, front, ZHEJIANG_KEY)) {
            attempt(
                    "shadow mode: a caller that no rule allows is served",
                    tunnel,
                    at,
                    calls,
                    calls,
                    () -> stranger.accounts().balance("account-1"));
        }
        int counted = at.audited(before + calls, SHADOW).size() - before;
        add(new Row("shadow mode: and each call is counted", tunnel, calls, counted, calls, calls, ""));
    }

    private static final String SHADOW = "\"decision\":\"shadow\"";

    /** As many calls as were made in the seconds after the first one: the limit renews itself every second. */
    private void flood() throws IOException {
        int seconds = quick ? 4 : 30;
        int before = bank.first().executed().size();
        long begun;
        try (Caller flood = Caller.start("zhejiang", "flood", "dubbo", bank.gateway(), ZHEJIANG_KEY)) {
            PlainClient.call(Map.of(), () -> flood.accounts().balance("account-1"));
            begun = System.currentTimeMillis();
            Flood.send(() -> flood.accounts().balanceLater("account-1"), seconds + 2);
        }
        List<Long> executed = bank.first().executed();
        long from = begun + 1000;
        long until = from + TimeUnit.SECONDS.toMillis(seconds);
        int counted = (int) executed.subList(before, executed.size()).stream()
                .filter(millis -> millis >= from && millis < until)
                .count();
        int expected = Bankside.RATE * seconds;
        add(new Row(
                "a flood of " + Flood.PER_SECOND + "/s against a rate of " + Bankside.RATE + "/s, for " + seconds
                        + " s",
                "dubbo",
                seconds * Flood.PER_SECOND,
                counted,
                (int) Math.ceil(expected * (1 - (quick ? QUICK_TOLERANCE : TOLERANCE))),
                (int) Math.floor(expected * (1 + TOLERANCE)),
                ""));
    }
}
