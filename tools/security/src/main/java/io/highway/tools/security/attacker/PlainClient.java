// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.attacker;

import io.highway.tools.processes.DubboCaller;
import java.util.Map;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.service.GenericService;
import org.jspecify.annotations.Nullable;

/** Dubbo without the SDK, which sends whatever headers it is given, to an address of its choice. */
public final class PlainClient implements AutoCloseable {

    private static final String[] TYPES = {"java.lang.String"};
    private static final int MILLIS = 5000;

    private final DubboCaller caller;
    private final String address;

    /** Calls go to this URL of Dubbo, without a path. */
    public PlainClient(String application, String address) {
        this.caller = DubboCaller.withoutSdk(application);
        this.address = address;
    }

    /** A reference to a service. */
    public <T> T reference(Class<T> type) {
        return caller.refer(type, address, PlainClient::configure);
    }

    /** A generic reference to a service. */
    public GenericService generic(Class<?> type) {
        return caller.refer(GenericService.class, address, reference -> {
            configure(reference);
            reference.setInterface(type.getName());
            reference.setGeneric("true");
        });
    }

    private static void configure(ReferenceConfig<?> reference) {
        reference.setRetries(0);
        reference.setTimeout(MILLIS);
    }

    /** Makes a call with these headers; returns what went wrong, or null if it was answered. */
    public static @Nullable Exception call(Map<String, String> headers, Runnable call) {
        headers.forEach(RpcContext.getClientAttachment()::setAttachment);
        try {
            call.run();
            return null;
        } catch (RuntimeException e) {
            return e;
        } finally {
            headers.keySet().forEach(RpcContext.getClientAttachment()::removeAttachment);
        }
    }

    /** A generic call of a method with one text. */
    public static Object invoke(GenericService service, String method, String argument) {
        return service.$invoke(method, TYPES, new Object[] {argument});
    }

    @Override
    public void close() {
        caller.close();
    }
}
