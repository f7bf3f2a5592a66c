// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.legacy.version1;

import io.highway.tools.benchmarks.calls.CallerApplication;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.dubbo.rpc.service.GenericService;

/** Makes the call of each request; the path names the interface. A call that fails is answered with 500. */
final class CallServlet extends HttpServlet {

    private static final long serialVersionUID = 1;

    private final transient CallerApplication application = CallerApplication.plain();
    private final transient Map<String, GenericService> services = new ConcurrentHashMap<>();
    private final String provider;

    CallServlet(String provider) {
        this.provider = provider;
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Wire.Call call = Wire.Call.read(request.getInputStream());
        Object answer =
                service(request.getRequestURI().substring(1)).$invoke(call.method(), call.types(), call.arguments());
        byte[] body = Wire.writeAnswer(answer);
        response.setContentType(Wire.CONTENT_TYPE);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    private GenericService service(String name) {
        return services.computeIfAbsent(name, missing -> application.generic(missing, provider));
    }
}
