// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.support.nacos;

import com.alibaba.nacos.NacosServerBasicApplication;
import com.alibaba.nacos.NacosServerWebApplication;
import com.alibaba.nacos.core.listener.startup.NacosStartUp;
import com.alibaba.nacos.core.listener.startup.NacosStartUpManager;
import com.alibaba.nacos.sys.env.DeploymentType;
import com.alibaba.nacos.sys.env.EnvUtil;
import io.highway.samples.support.ChildProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A Nacos server on loopback: registry and configuration centre, standalone, with its data in a folder, without
 * authentication. Uses its port, and the ports 1000 below and 1000 and 1001 above.
 */
final class NacosProcess {

    private static final String SETTINGS =
            """
            nacos.server.main.port=%s
            nacos.server.contextPath=/nacos
            server.address=127.0.0.1
            nacos.inetutils.ip-address=127.0.0.1
            nacos.remote.grpc.listen.ip=127.0.0.1
            nacos.core.auth.system.type=nacos
            nacos.core.auth.enabled=false
            nacos.core.auth.admin.enabled=false
            nacos.core.auth.console.enabled=false
            nacos.core.auth.server.identity.key=sample
            nacos.core.auth.server.identity.value=sample
            nacos.core.auth.plugin.nacos.token.secret.key=%s
            # 3 s by default, too short for a start on a busy machine
            db.pool.config.connection-timeout=30000
            server.tomcat.accesslog.enabled=false
            server.tomcat.basedir=%s
            spring.main.banner-mode=off
            spring.autoconfigure.exclude=org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration
            """;

    private NacosProcess() {}

    /** The arguments are its port and the folder for its data. */
    public static void main(String[] arguments) throws Exception {
        ChildProcess.endWithParent();
        Path home = Files.createDirectories(Path.of(arguments[1]).toAbsolutePath());
        Path settings = Files.createDirectories(home.resolve("conf"));
        String secret = Base64.getEncoder()
                .encodeToString("the sample's secret, which no one uses".getBytes(StandardCharsets.UTF_8));
        Files.writeString(settings.resolve("application.properties"), SETTINGS.formatted(arguments[0], secret, home));
        System.setProperty("nacos.home", home.toString());
        System.setProperty("user.home", home.toString());
        System.setProperty("nacos.standalone", "true");
        System.setProperty("derby.stream.error.file", home.resolve("derby.log").toString());
        System.setProperty("spring.config.additional-location", settings.toUri().toString());
        EnvUtil.setDeploymentType(DeploymentType.SERVER);
        NacosStartUpManager.start(NacosStartUp.CORE_START_UP_PHASE);
        ConfigurableApplicationContext core = new SpringApplicationBuilder(NacosServerBasicApplication.class)
                .web(WebApplicationType.NONE)
                .run();
        NacosStartUpManager.start(NacosStartUp.WEB_START_UP_PHASE);
        new SpringApplicationBuilder(NacosServerWebApplication.class)
                .parent(core)
                .run();
        ChildProcess.ready(arguments[0]);
        Thread.currentThread().join(); // until the process is ended
    }
}
