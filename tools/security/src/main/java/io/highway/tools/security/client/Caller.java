// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.client;

import io.highway.sdk.Highway;
import io.highway.tools.processes.DubboCaller;
import io.highway.tools.security.service.AccountService;
import io.highway.tools.security.service.ReserveService;
import java.util.HashMap;
import java.util.Map;

/** An application in zhejiang or beijing that calls shanghai, with the SDK and a key. */
public final class Caller implements AutoCloseable {

    private final DubboCaller caller;
    private final AccountService accounts;
    private final ReserveService reserves;

    /**
     * One with the settings that such an application has.
     *
     * @param tunnel {@code dubbo} or {@code triple}
     * @param gateway where it leaves home, {@code host:port}
     * @param keys further keys, without {@code highway.}
     */
    public Caller(String island, String application, String tunnel, String gateway, Map<String, String> keys) {
        Map<String, String> all = new HashMap<>();
        all.put("highway.island", island);
        all.put("highway.gateways." + tunnel, gateway);
        all.put("highway.islands.shanghai.tunnel", tunnel);
        all.put("highway.islands.shanghai.timeout", "5s");
        all.put("highway.heartbeat.interval", "none");
        keys.forEach((key, value) -> all.put("highway." + key, value));
        this.caller = new DubboCaller(application, all);
        this.accounts = reference(AccountService.class);
        this.reserves = reference(ReserveService.class);
    }

    private <T> T reference(Class<T> type) {
        Map<String, String> island = Map.of("highway-island", "shanghai");
        T service = caller.refer(type, "dubbo://zhejiang.test:1", reference -> reference.setParameters(island));
        return Highway.to("shanghai").bind(type, service);
    }

    /** Its reference. */
    public AccountService accounts() {
        return accounts;
    }

    /** Its reference. */
    public ReserveService reserves() {
        return reserves;
    }

    @Override
    public void close() {
        caller.close();
    }
}
