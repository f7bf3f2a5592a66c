// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.legacy.version1;

import io.highway.tools.processes.ChildProcess;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

/** The far island's gateway: a Tomcat that makes the calls it gets over HTTP to the island's providers. */
public final class FarGateway {

    private FarGateway() {}

    /** Arguments: the port for HTTP, and {@code host:port} of the provider. */
    public static void main(String[] arguments) throws LifecycleException {
        ChildProcess.endWithParent();
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(System.getProperty("java.io.tmpdir"));
        tomcat.setConnector(connector(Integer.parseInt(arguments[0])));
        Context context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "calls", new CallServlet(arguments[1]));
        context.addServletMappingDecoded("/*", "calls");
        tomcat.start();
        ChildProcess.ready(arguments[0]);
        tomcat.getServer().await();
    }

    private static Connector connector(int port) {
        Connector connector = new Connector("HTTP/1.1");
        connector.setPort(port);
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("maxThreads", String.valueOf(HubClient.CONNECTIONS));
        connector.setProperty(
                "maxKeepAliveRequests", "-1"); // after the default of 100 calls a connection would be closed
        connector.setProperty("keepAliveTimeout", "-1");
        return connector;
    }
}
