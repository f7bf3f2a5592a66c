// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.legacy;

import io.highway.tools.benchmarks.calls.CallerApplication;
import io.highway.tools.benchmarks.orders.Family;
import io.highway.tools.benchmarks.orders.OrderService;
import io.highway.tools.processes.ChildProcess;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.dubbo.rpc.service.GenericService;

/** The remote gateway of version 1: a Tomcat that calls the provider. A call that fails is answered with 500. */
final class FarGateway extends HttpServlet {

    private static final long serialVersionUID = 1;

    private final transient GenericService provider;

    private FarGateway(String provider) {
        this.provider = CallerApplication.plain().generic(OrderService.class.getName(), provider);
    }

    /** Arguments: the port for HTTP, and {@code host:port} of the provider. */
    public static void main(String[] arguments) throws LifecycleException {
        ChildProcess.endWithParent();
        Connector connector = new Connector("HTTP/1.1");
        connector.setPort(Integer.parseInt(arguments[0]));
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("maxThreads", String.valueOf(HomeGateway.CONNECTIONS));
        connector.setProperty("maxKeepAliveRequests", "-1"); // the default closes a connection after 100 calls
        connector.setProperty("keepAliveTimeout", "-1");
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(System.getProperty("java.io.tmpdir"));
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "calls", new FarGateway(arguments[1]));
        context.addServletMappingDecoded("/*", "calls");
        tomcat.start();
        ChildProcess.ready(arguments[0]);
        tomcat.getServer().await();
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Object[] call = HomeGateway.read(request.getInputStream(), 3);
        byte[] body = Family.hessian2(provider.$invoke((String) call[0], (String[]) call[1], (Object[]) call[2]));
        response.setContentType(HomeGateway.CONTENT_TYPE);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
