// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.scale;

import io.highway.tools.processes.DubboProvider;
import java.lang.reflect.Proxy;
import org.apache.dubbo.rpc.RpcContext;

/**
 * One provider that represents those of all islands and of home. It has no SDK, so that it sees the island that a call
 * names and can answer with it.
 */
public final class FarProcess {

    private FarProcess() {}

    /** Arguments: the number of services, the port for the Dubbo protocol and the one for Triple. */
    public static void main(String[] arguments) {
        DubboProvider provider = new DubboProvider("provider", Stage.PROVIDER_HOST).listen(arguments[1], arguments[2]);
        Services.load(Integer.parseInt(arguments[0])).forEach(type -> export(provider, type));
        provider.serve("all islands");
    }

    private static <S extends AskedService> void export(DubboProvider provider, Class<S> type) {
        S service = type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, values) -> answer(type)));
        // exported faster than with generated code
        provider.export(type, service, settings -> settings.setProxy("jdk"));
    }

    private static String answer(Class<?> type) {
        String island = RpcContext.getServerAttachment().getAttachment("highway-island");
        return AskedService.answer(type, island == null ? "" : island);
    }
}
