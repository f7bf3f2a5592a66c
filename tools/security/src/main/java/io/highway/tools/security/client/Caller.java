// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.client;

import io.highway.sdk.Highway;
import io.highway.tools.processes.DubboCaller;
import io.highway.tools.security.service.AccountService;
import io.highway.tools.security.service.ReserveService;
import io.highway.tools.security.star.Bankside;
import java.util.HashMap;
import java.util.Map;

/** An application in zhejiang or beijing that calls shanghai, with the SDK and a key. */
public record Caller(DubboCaller caller, AccountService accounts, ReserveService reserves) implements AutoCloseable {

    /**
     * One with the settings that such an application has.
     *
     * @param tunnel {@code dubbo} or {@code triple}
     * @param gateway where it leaves home, {@code host:port}
     * @param keyId of the key that it signs with
     */
    public static Caller start(String island, String application, String tunnel, String gateway, String keyId) {
        Map<String, String> keys = new HashMap<>();
        keys.put("highway.island", island);
        keys.put("highway.gateways." + tunnel, gateway);
        keys.put("highway.islands.shanghai.tunnel", tunnel);
        keys.put("highway.islands.shanghai.timeout", "5s");
        keys.put("highway.heartbeat.interval", "none");
        keys.put("highway.sign.key-id", keyId);
        keys.put("highway.sign.secret", Bankside.secret(keyId));
        DubboCaller caller = new DubboCaller(application, keys);
        return new Caller(caller, reference(caller, AccountService.class), reference(caller, ReserveService.class));
    }

    private static <T> T reference(DubboCaller caller, Class<T> type) {
        Map<String, String> island = Map.of("highway-island", "shanghai");
        T service = caller.refer(type, "dubbo://zhejiang.test:1", reference -> reference.setParameters(island));
        return Highway.to("shanghai").bind(type, service);
    }

    @Override
    public void close() {
        caller.close();
    }
}
