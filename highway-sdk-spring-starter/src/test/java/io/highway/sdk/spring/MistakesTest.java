// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.Island;
import io.highway.sdk.IslandKey;
import io.highway.sdk.dubbo.internal.policy.GuardWarnings;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.PolicyParser;
import io.highway.sdk.dubbo.internal.policy.PolicyWarnings;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import io.highway.sdk.spring.internal.SpringSettings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.annotation.DubboReference;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;
import org.apache.dubbo.config.spring.context.DubboSpringInitCustomizerHolder;
import org.apache.dubbo.config.spring.context.annotation.EnableDubbo;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.FileSystemResource;

/**
 * No mistake of a newcomer is silent: each ends the start-up or the call, or causes a WARN, with the key, its value and
 * the fix. Prints what each one causes.
 */
@Tag("network")
@Tag("any-dubbo")
class MistakesTest {

    /** What the mistakes are made in. */
    private static final String GOOD = "island=zhejiang gateways.dubbo=gateway.zhejiang.test:1"
            + " gateways.triple=gateway.zhejiang.test:1 islands.shanghai.tunnel=auto";

    /**
     * In keys: the mistake | what is written over the good configuration, "-" removes, "␣" is a space | what failure or
     * WARN contains.
     */
    private static final String KEYS =
            """
            tunnel that does not exist | islands.shanghai.tunnel=grpc | highway.islands.shanghai.tunnel: "grpc" & allowed: auto, dubbo, http, triple
            misspelt tunnel | islands.shanghai.tunnel=dubo | highway.islands.shanghai.tunnel: "dubo" & Did you mean "dubbo"
            Dubbo's name of Triple | islands.shanghai.tunnel=tri | highway.islands.shanghai.tunnel: "tri" & Did you mean "triple"
            tunnel in upper case | islands.shanghai.tunnel=TRIPLE | highway.islands.shanghai.tunnel: "TRIPLE" & Did you mean "triple"
            unknown tunnel in a list | islands.shanghai.tunnel=triple,http2 | highway.islands.shanghai.tunnel: "triple,http2" & Write one of them
            misspelt key of an island | islands.shanghai.tunel=auto | highway.islands.shanghai.tunel & Did you mean "tunnel"
            misspelt general key | max-hop=3 | highway.max-hop: & Did you mean "max-hops"
            misspelt group | island.shanghai.tunnel=auto | highway.island.shanghai.tunnel: & Did you mean "islands"
            key of an island without the island | timeout=3s | highway.timeout: there is no such key & highway.islands.<id>.timeout, or highway.defaults.timeout
            key that belongs to one island, below defaults | defaults.keys=31* | highway.defaults.keys: there is no such key & Known here
            islands as a list | islands=shanghai,beijing | highway.islands: it is a group & Write a key of each island
            island without a key | islands.beijing=auto | highway.islands.beijing: there is no such key & Known here
            no home | -island | highway.island: missing & Write the id of the island
            blank home | island= | highway.island: missing & such as highway.island=zhejiang
            home in upper case | island=Zhejiang | highway.island: & "Zhejiang" & lower-case
            home with an underscore | island=zhe_jiang | highway.island: & "zhe_jiang" & hyphens
            home as a host name | island=zhejiang.example | highway.island: & "zhejiang.example" & Write the island's id
            island in upper case | islands.Shanghai.tunnel=auto | highway.islands.Shanghai.tunnel & "Shanghai" & Write highway.islands.<id>.<key>
            island with an underscore | islands.shang_hai.tunnel=auto | highway.islands.shang_hai.tunnel & "shang_hai" & hyphens
            enabled misspelt | enabled=flase | highway.enabled: "flase" & Did you mean "false"
            gateway without its protocol | gateway=gateway.zhejiang.test:20880 | highway.gateway: & "gateways.dubbo" or "gateways.triple"
            gateways as a value | gateways=gateway.zhejiang.test:20880 | highway.gateways: it is a group & Write highway.gateways.dubbo
            gateway by Dubbo's name of Triple | gateways.tri=gateway.zhejiang.test:50051 | highway.gateways.tri: & Did you mean "gateways.triple"
            gateway without a port | gateways.dubbo=gateway.zhejiang.test | highway.gateways.dubbo: "gateway.zhejiang.test" & a colon and its port
            port beyond 65535 | gateways.dubbo=gateway.zhejiang.test:208800 | "gateway.zhejiang.test:208800" & its port (1 to 65535)
            port 0 | gateways.dubbo=gateway.zhejiang.test:0 | "gateway.zhejiang.test:0" & its port (1 to 65535)
            http address | gateways.triple=http://gateway.zhejiang.test:50051 | "http://gateway.zhejiang.test:50051" & Write triple://host:port
            blank gateway | gateways.dubbo= | highway.gateways.dubbo: "" & Write at least one address or remove the key
            addresses apart by semicolons | gateways.dubbo=a.test:1;b.test:1 | highway.gateways.dubbo: "a.test:1;b.test:1" & host, a colon
            addresses apart by spaces | gateways.dubbo=a.test:1␣b.test:1 | highway.gateways.dubbo: "a.test:1 b.test:1" & host, a colon
            address with a path | gateways.triple=gateway.zhejiang.test:50051/highway | highway.gateways.triple: & /highway" & host, a colon
            no gateway for the only tunnel | -gateways.triple islands.shanghai.tunnel=triple | highway.islands.shanghai.tunnel: "triple" & Write highway.gateways.triple
            no gateway at all | -gateways.triple -gateways.dubbo | highway.islands.shanghai & no gateway & highway.gateways.dubbo
            unresolved placeholder | gateways.triple=${GATEWAY} | highway.gateways.triple: & ${GATEWAY} & Set that property
            timeout without a unit | islands.shanghai.timeout=3 | highway.islands.shanghai.timeout is 3 & milliseconds & write 3s
            timeout in a wrong unit | islands.shanghai.timeout=3sec | highway.islands.shanghai.timeout: "3sec" & such as 500ms, 3s
            negative timeout | islands.shanghai.timeout=-1 | highway.islands.shanghai.timeout: "-1" & a duration from 1ms
            timeout 0 | islands.shanghai.timeout=0 | highway.islands.shanghai.timeout: "0" & a duration from 1ms
            blank timeout | islands.shanghai.timeout= | highway.islands.shanghai.timeout: "" & a duration from 1ms
            timeout with a fraction | islands.shanghai.timeout=1.5s | highway.islands.shanghai.timeout: "1.5s" & a duration from 1ms
            connect-timeout without a unit | gateways.connect-timeout=3 | highway.gateways.connect-timeout is 3 & milliseconds & write 3s
            heartbeat without a unit | heartbeat.interval=10 | highway.heartbeat.interval is 10 & milliseconds & write 10s
            heartbeat.slow without a unit | heartbeat.slow=1 | highway.heartbeat.slow is 1 & milliseconds & write 1s
            slow call without a unit | islands.shanghai.breaker.slow-call=2 | highway.islands.shanghai.breaker.slow-call is 2 & milliseconds & write 2s
            wait without a unit | islands.shanghai.max-concurrent=8 islands.shanghai.max-wait=5 | highway.islands.shanghai.max-wait is 5 & milliseconds & write 5s
            wait of the policy | policy.wait=3s | highway.policy.wait: there is no such key & Remove it: start-up waits three seconds
            heartbeat off | heartbeat.interval=off | highway.heartbeat.interval: "off" & none or a duration
            service of the heartbeat | heartbeat.service=Sms#send | highway.heartbeat.service: "Sms#send" & Write a service
            negative retries | islands.shanghai.retries=-1 | highway.islands.shanghai.retries: "-1" & from 0 to 10
            retries without idempotent methods | islands.shanghai.retries=2 | highway.islands.shanghai.retries & no method there is idempotent & write
            idempotent class | islands.shanghai.idempotent=com.foo.Sms | highway.islands.shanghai.idempotent: "com.foo.Sms" & Did you mean "com.foo.Sms#*"
            idempotent method with brackets | islands.shanghai.idempotent=query() | "query()" & Did you mean "query"
            denied methods as a regular expression | islands.shanghai.deny=delete.* | highway.islands.shanghai.deny: "delete.*" & Did you mean
            blank deny | islands.shanghai.deny= | highway.islands.shanghai.deny is empty & remove
            blank keys | islands.shanghai.keys= | highway.islands.shanghai.keys is empty & remove
            request size without a unit | islands.shanghai.max-request-size=4 | highway.islands.shanghai.max-request-size is 4 & bytes & write 4KB or 4MB
            request size in a wrong unit | islands.shanghai.max-request-size=4M | highway.islands.shanghai.max-request-size: "4M" & such as 64B, 512KB or 4MB
            negative request size | islands.shanghai.max-request-size=-4MB | highway.islands.shanghai.max-request-size: "-4MB" & a size from 1B
            buffer without a unit | max-buffered=64 | highway.max-buffered is 64 & bytes & write 64KB or 64MB
            bulk size without a unit | islands.shanghai.bulk.over=16 | highway.islands.shanghai.bulk.over is 16 & bytes & write 16KB or 16MB
            bulk limit without bulk calls | islands.shanghai.bulk.max-concurrent=4 | highway.islands.shanghai.bulk.max-concurrent & no call there is bulk & write
            no concurrency | islands.shanghai.max-concurrent=0 | highway.islands.shanghai.max-concurrent: "0" & unlimited
            Java serialization | islands.shanghai.serialization=java | highway.islands.shanghai.serialization: "java" & allowed: hessian2, fastjson2
            misspelt compression | islands.shanghai.compression=zip | highway.islands.shanghai.compression: "zip" & Did you mean "gzip"
            compression over the Dubbo protocol | islands.shanghai.tunnel=dubbo islands.shanghai.compression=gzip | highway.islands.shanghai.compression: "gzip" & dubbo has no compression & Write the tunnel triple
            dictionary that is not declared | islands.shanghai.compression=zstd islands.shanghai.dictionary=orders | highway.islands.shanghai.dictionary: "orders" & Write highway.dictionaries.<name>
            failure rate beyond 100 | islands.shanghai.breaker.failure-rate=150 | highway.islands.shanghai.breaker.failure-rate: "150" & 1 to 100
            failure rate as a fraction | islands.shanghai.breaker.failure-rate=0.5 | highway.islands.shanghai.breaker.failure-rate: "0.5" & 1 to 100
            fallback true | islands.shanghai.fallback=true | highway.islands.shanghai.fallback: "true" & allowed: none, home
            fallback to an island | islands.shanghai.fallback=beijing | highway.islands.shanghai.fallback: "beijing" & allowed: none, home
            key of two islands | islands.shanghai.keys=31* islands.beijing.keys=31* | highway.islands.shanghai.keys: "31*" already means beijing & Let each key
            key that is another island | islands.shanghai.keys=zhejiang | highway.islands.shanghai.keys: "zhejiang" is the id of another island & Remove it
            key with two stars | islands.shanghai.keys=*31* | highway.islands.shanghai.keys: "*31*" & at most one star
            service to a misspelt island | services.com.foo.Sms.island=shangai | highway.services.com.foo.Sms.island: "shangai" & Did you mean "shanghai"
            service without its interface | services.island=shanghai | highway.services.island: the interface is missing & Write highway.services.<interface>.island
            service with its group | services.blue/com.foo.Sms.island=shanghai | "blue/com.foo.Sms" is not an interface & every group and version
            service by a pattern | services.com.foo.*.island=shanghai | "com.foo.*" is not an interface & Write highway.services.<interface>.island
            service with when alone | services.com.foo.Sms.when=home-absent | highway.services.com.foo.Sms.island: missing & Write the island's id
            require-island yes | services.com.foo.Sms.require-island=yes | highway.services.com.foo.Sms.require-island: "yes" & allowed: true, false
            required and named island | services.com.foo.Sms.require-island=true services.com.foo.Sms.island=shanghai | highway.services.com.foo.Sms.require-island: "true" contradicts & Remove one
            gateways of services without a pattern | islands.shanghai.services.gateways.dubbo=a.test:1 | highway.islands.shanghai.services.gateways.dubbo & an interface & Write
            unknown islands allowed | unknown-islands=gateway | highway.unknown-islands: there is no such key & Remove it, and write a key of each island
            connections per gateway | gateways.connections=4 | highway.gateways.connections: there is no such key & Remove it: each gateway address has one connection
            no hops | max-hops=0 | highway.max-hops: "0" & from 1 to 100
            unknown doctor | doctor=true | highway.doctor: "true" & allowed: none, warn
            key id without secret | sign.key-id=zhejiang-2026 | highway.sign.secret: missing & Write both
            secret without key id | sign.secret=0123456789abcdef0123456789abcdef | highway.sign.key-id: missing & Write both
            key id and secret exchanged | sign.key-id=G7nq+x/vLk0= sign.secret=zhejiang-2026 | highway.sign.key-id: the value is not allowed & a key id of 1 to 63 & Rename
            blank secret | sign.key-id=zhejiang-2026 sign.secret= | highway.sign.secret: the secret is empty & file:<path>
            file of a secret without its path | sign.key-id=zhejiang-2026 sign.secret=file: | highway.sign.secret: the path of the file is empty & Write file:<path>
            accepted key of anyone | sign.accept.shanghai-2026=0123456789abcdef0123456789abcdef guard.home=10.0.0.0/8 | highway.sign.accept.shanghai-2026 & sign for any island & write highway.sign.accept-from.shanghai-2026
            callers of a key that is not accepted | sign.accept-from.shanghai=shanghai/* | highway.sign.accept-from.shanghai: there is no highway.sign.accept.shanghai & Write the key's secret
            accepted callers without their application | sign.accept.shanghai=0123456789abcdef0123456789abcdef sign.accept-from.shanghai=shanghai | highway.sign.accept-from.shanghai: & Write zhejiang/*
            mode of signatures | sign.mode=on | highway.sign.mode: & allowed: enforce, shadow
            signatures without a guard | sign.accept.shanghai=0123456789abcdef0123456789abcdef sign.accept-from.shanghai=shanghai/* | highway.sign.accept.* & without route headers passes & write highway.guard.gateways
            guard without gateways | guard.rules.shops.action=deny guard.rules.shops.from=shanghai/* | highway.guard.rules.* & without route headers passes & write highway.guard.gateways
            gateway of the guard with a port | guard.gateways=10.1.0.1:20880 | highway.guard.gateways: "10.1.0.1:20880" & without a port
            range with bits beyond it | guard.gateways=10.1.0.10/16 | highway.guard.gateways: "10.1.0.10/16" & Write 10.1.0.0/16
            blank home of the guard | guard.home= | highway.guard.home: the value is empty & Write addresses
            gateway that is home, too | guard.home=10.1.0.0/16 guard.gateways=10.1.0.0/16 | highway.guard.home: "10.1.0.0/16" & Remove it
            signature that nothing can verify | guard.require=signature | highway.guard.require: "signature" & highway.sign.accept.<key-id>
            guard off | guard.mode=off | highway.guard.mode: "off" & allowed: enforce, shadow
            rule without a name | guard.rules.action=deny | highway.guard.rules.action & the name of the rule & Write highway.guard.rules.<name>.action
            rule without an action | guard.rules.shops.from=shanghai/* | highway.guard.rules.shops.action: missing & Write allow, deny or audit
            unknown action | guard.rules.shops.action=permit | highway.guard.rules.shops.action: "permit" & allowed: allow, deny, audit
            caller without its application | guard.rules.shops.action=deny guard.rules.shops.from=shanghai | highway.guard.rules.shops.from: "shanghai" & Did you mean "shanghai/*"
            rate without its time | guard.rules.shops.action=allow guard.rules.shops.rate=100 | highway.guard.rules.shops.rate: "100" & Write a rate such as 200/s
            audit as a value | audit=true | highway.audit: it is a group & Write highway.audit.enabled=true
            audit yes | audit.enabled=yes | highway.audit.enabled: "yes" & allowed: true, false
            unknown overflow | audit.overflow=drop | highway.audit.overflow: "drop" & allowed: count, refuse
            unknown source of the policy | policy.source=nacos | highway.policy.source: "nacos" & config-center, file:<path>, none
            misspelt fixed key | policy.fixed=idempotnt | highway.policy.fixed: "idempotnt" & idempotent
            trusted certificates that are not there | gateways.tls.trust-certificates=/nowhere/ca.crt | highway.gateways.tls.trust-certificates: & /nowhere/ca.crt & Write the path of a PEM file
            private key without its certificate | gateways.tls.private-key=/nowhere/tls.key | highway.gateways.tls.certificate: missing & Write both
            proxy without its protocol | gateways.proxy=proxy.test:3128 | highway.gateways.proxy: "proxy.test:3128" & http://host:port or socks5://host:port & Write the proxy's protocol
            proxy's password in a file that is not there | gateways.proxy=http://app:file:/nowhere/password@proxy.test:3128 | highway.gateways.proxy: the password cannot be read & /nowhere/password & user:file:<path>@
            TLS yes | gateways.tls.enabled=yes gateways.tls.verify-host=true | highway.gateways.tls.enabled: "yes" & allowed: true, false
            """;

    /** In other notations: the mistake, what is written, what failure or WARN contains. */
    private static final List<Case> NOTATIONS = List.of(
            yaml(
                    "area code that YAML reads as octal",
                    "highway: {island: zhejiang, islands: {shanghai: {keys: [010]}}}",
                    "highway.islands.shanghai.keys",
                    "010 is an octal number",
                    "\"010\""),
            yaml(
                    "island written twice",
                    "highway:\n  islands:\n    shanghai: {tunnel: auto}\n    shanghai: {retries: 1}\n",
                    "found duplicate key shanghai"),
            yaml(
                    "off, which YAML reads as false",
                    "highway: {island: zhejiang, heartbeat: {interval: off}}",
                    "highway.heartbeat.interval: \"false\"",
                    "none or a duration"),
            variable(
                    "misspelt environment variable",
                    "HIGHWAY_ISLANDS_SHANGHAI_TUNEL=auto",
                    "highway.islands.shanghai.tunel",
                    "Did you mean \"tunnel\""),
            variable(
                    "environment variable without its protocol",
                    "HIGHWAY_GATEWAYS=gateway.zhejiang.test:1",
                    "highway.gateways",
                    "Write highway.gateways.dubbo"));

    /** In code of plain Dubbo. */
    private static final List<Case> PROGRAMS = List.of(
            reference("misspelt island on an interface", ToShangai.class, "\"shangai\"", "did you mean \"shanghai\""),
            reference("island in upper case on an interface", ToUpperCase.class, "\"Shanghai\"", "lower-case"),
            reference("blank island on an interface", ToNowhere.class, "\"\"", "such as \"shanghai\""),
            reference("two keys of one method", TwoKeys.class, "TwoKeys", "@IslandKey is on arguments 1 and 2"),
            reference(
                    "misspelt island on a method",
                    ToShangaiByMethod.class,
                    "\"shangai\" (from method)",
                    "\"shanghai\""),
            parameter("misspelt parameter", "highway-iland", "shanghai", "highway-iland", "\"highway-island\""),
            parameter(
                    "parameter with an underscore",
                    "highway_island",
                    "shanghai",
                    "highway_island",
                    "\"highway-island\""),
            parameter("parameter with a dot", "highway.island", "shanghai", "highway.island", "\"highway-island\""),
            parameter("misspelt island in a parameter", "highway-island", "shangai", "\"shangai\"", "\"shanghai\""),
            parameter("when without an island", "highway-when", "always", "highway-island", "missing", "Write both"),
            reference(
                    "unknown when",
                    Map.of("highway-island", "shanghai", "highway-when", "absent"),
                    "highway-when",
                    "\"absent\"",
                    "home-absent"),
            dubbo(
                    "every @Island is home",
                    "",
                    dubbo -> start(dubbo, reference(dubbo, ToZhejiang.class)),
                    "every @Island",
                    "\"zhejiang\", which is home (highway.island)"),
            start(
                    "service whose interface does not exist",
                    "services.com.foo.Smss.island=shanghai",
                    "highway.services.com.foo.Smss.island",
                    "there is no class com.foo.Smss"),
            start(
                    "pattern that matches no method",
                    "islands.shanghai.deny=" + Sms.class.getName() + "#delete",
                    "highway.islands.shanghai.deny: ",
                    "matches no method",
                    "its methods are send"),
            start(
                    "file of a secret that is not there",
                    "sign.key-id=zhejiang-2026 sign.secret=file:/nowhere/secret",
                    "highway.sign.secret",
                    "/nowhere/secret",
                    "Write the path of a file"),
            start(
                    "short secret",
                    "sign.key-id=zhejiang-2026 sign.secret=short",
                    "highway.sign.secret",
                    "fewer than 32 bytes",
                    "openssl rand"),
            start(
                    "short secret of an island",
                    "islands.shanghai.sign.key-id=zhejiang-2026 islands.shanghai.sign.secret=short",
                    "highway.islands.shanghai.sign.secret",
                    "fewer than 32 bytes",
                    "openssl rand"),
            start(
                    "short secret that is accepted",
                    "sign.accept.shanghai-2026=short sign.accept-from.shanghai-2026=shanghai/* guard.home=10.0.0.0/8",
                    "highway.sign.accept.shanghai-2026",
                    "fewer than 32 bytes",
                    "openssl rand"),
            start(
                    "key id and secret exchanged, and the secret could be an id",
                    "sign.key-id=9f86d081884c7d659a2feaa0c55ad015 sign.secret=zhejiang-2026",
                    "highway.sign.secret",
                    "fewer than 32 bytes",
                    "sign.key-id exchanged?"),
            dubbo(
                    "switched off, with islands",
                    "enabled=false",
                    dubbo -> start(dubbo, reference(dubbo, ToShanghai.class)),
                    "highway.enabled=false",
                    "home serves calls that ask for an island",
                    "\"shanghai\""),
            call(
                    "attachment with an underscore",
                    sms -> {
                        RpcContext.getClientAttachment().setAttachment("highway_island", "shanghai");
                        sms.send("");
                    },
                    "highway_island",
                    "highway-island"),
            call(
                    "server attachment",
                    sms -> {
                        RpcContext.getServerAttachment().setAttachment(HighwayAttachments.ISLAND, "shanghai");
                        sms.send("");
                    },
                    "highway-island is a server attachment",
                    "getClientAttachment"),
            call(
                    "scope to a misspelt island",
                    sms -> Highway.to("shangai").run(() -> sms.send("")),
                    "shangai",
                    "shanghai"),
            call(
                    "scope to an island in upper case",
                    sms -> Highway.to("Shanghai").run(() -> sms.send("")),
                    "\"Shanghai\""),
            call("bound to a class", sms -> Highway.to("shanghai").bind(Object.class, new Object()), "interface"),
            dubbo(
                    "key of a property that is not there",
                    "",
                    dubbo -> {
                        ReferenceConfig<NoSuchProperty> reference = reference(dubbo, NoSuchProperty.class);
                        start(dubbo, reference);
                        reference.get().send(new Address("shanghai"));
                    },
                    "has no property \"provice\"",
                    "getter or public field"),
            call(
                    "scope that is not closed",
                    sms -> {
                        Thread thread = new Thread(() -> Highway.to("shanghai").open());
                        thread.start();
                        await().until(() -> {
                            System.gc();
                            return warnings().contains("was not closed");
                        });
                    },
                    "was not closed",
                    "try-with-resources"));

    /** In a Spring context. */
    private static final List<Case> CONTEXTS = List.of(
            spring(
                    "@Island on @Autowired",
                    AutowiredField.class,
                    "@io.highway.sdk.Island(", // as Spring says it; Boot's report has the fix
                    "expected at least 1 bean"),
            spring("@Island on a static field", StaticField.class, "StaticField.sms", "on an instance field"),
            spring("@Island on a class", OfAClass.class, "OnAClass", "Write it on the interface"),
            spring("misspelt @Island on a reference", Misspelt.class, "\"shangai\"", "did you mean \"shanghai\""),
            spring("@Island in upper case on a reference", UpperCase.class, "\"Shanghai\"", "@Island(\"shanghai\")"),
            spring(
                    "@Island and another parameter",
                    TwoIslands.class,
                    "TwoIslands.sms",
                    "\"beijing\"",
                    "Write one of them"),
            context(
                    "no key, and @Island on a reference",
                    runner(true).withUserConfiguration(Beside.class),
                    "Beside.sms",
                    "no highway.* key is set",
                    "is a profile missing?"),
            context(
                    "the filter's jar instead of the starter",
                    runner(false).withUserConfiguration(Beside.class).withPropertyValues(good()),
                    "Beside.sms: nothing reads it",
                    "Use highway-sdk-spring-starter"),
            context(
                    "keys as system properties, without the starter",
                    runner(false).withUserConfiguration(Beside.class).withSystemProperties(good()),
                    "Beside.sms: nothing reads it",
                    "Use highway-sdk-spring-starter"),
            context(
                    "switched off, with @Island on a reference",
                    runner(true)
                            .withUserConfiguration(Beside.class)
                            .withPropertyValues(good())
                            .withPropertyValues("highway.enabled=false"),
                    "highway.enabled=false",
                    "home serves calls that ask for an island",
                    "Beside.sms"));

    /** A mistake: it returns the failure's message or what was warned about. */
    private record Case(String name, Attempt attempt, List<String> expected) {

        @Override
        public String toString() {
            return name;
        }
    }

    @FunctionalInterface
    private interface Attempt {
        /** What the SDK says besides its log lines; empty if nothing. */
        String make() throws Exception;
    }

    interface Sms {

        String send(String text);
    }

    @Island("shanghai")
    interface ToShanghai extends Sms {}

    @Island("zhejiang")
    interface ToZhejiang extends Sms {}

    @Island("shangai")
    interface ToShangai extends Sms {}

    @Island("Shanghai")
    interface ToUpperCase extends Sms {}

    @Island("")
    interface ToNowhere extends Sms {}

    interface ToShangaiByMethod {

        @Island("shangai")
        String send(String text);
    }

    interface TwoKeys {

        String send(@IslandKey String from, @IslandKey String to);
    }

    interface NoSuchProperty {

        String send(@IslandKey("provice") Address to);
    }

    record Address(String province) {}

    @Configuration(proxyBeanMethods = false)
    @EnableDubbo
    static class Beside {

        @DubboReference(url = "dubbo://zhejiang.test:1", check = false, lazy = true)
        @Island("shanghai")
        private Sms sms;
    }

    @Configuration(proxyBeanMethods = false)
    @EnableDubbo
    static class Misspelt {

        @DubboReference(url = "dubbo://zhejiang.test:1", check = false, lazy = true)
        @Island("shangai")
        private Sms sms;
    }

    @Configuration(proxyBeanMethods = false)
    @EnableDubbo
    static class UpperCase {

        @DubboReference(url = "dubbo://zhejiang.test:1", check = false, lazy = true)
        @Island("Shanghai")
        private Sms sms;
    }

    @Configuration(proxyBeanMethods = false)
    @EnableDubbo
    static class TwoIslands {

        @DubboReference(
                url = "dubbo://zhejiang.test:1",
                check = false,
                lazy = true,
                parameters = {"highway-island", "beijing"})
        @Island("shanghai")
        private Sms sms;
    }

    @Configuration(proxyBeanMethods = false)
    @EnableDubbo
    static class StaticField {

        @DubboReference
        @Island("shanghai")
        private static Sms sms;
    }

    @Configuration(proxyBeanMethods = false)
    @EnableDubbo
    static class AutowiredField {

        @Autowired
        @Island("shanghai")
        private Sms sms;

        @Bean
        static Sms local() {
            return text -> text;
        }
    }

    @Island("shanghai")
    static class OnAClass implements Sms {

        @Override
        public String send(String text) {
            return text;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableDubbo
    static class OfAClass {

        @Bean
        static Sms local() {
            return new OnAClass();
        }
    }

    private static Case of(String name, Attempt attempt, String... expected) {
        return new Case(name, attempt, List.of(expected));
    }

    private static Case keys(String line) {
        String[] parts = line.split(" \\| ", -1);
        return of(
                parts[0],
                () -> warnings(RawSettings.of(settings(parts[1]), "application.properties")),
                parts[2].split(" & ", -1));
    }

    /** The good configuration with these keys over it. */
    private static Map<String, String> settings(String keys) {
        Map<String, String> settings = new TreeMap<>();
        for (String entry : (GOOD + " " + keys).strip().split(" ")) {
            int equals = entry.indexOf('=');
            if (entry.startsWith("-")) {
                settings.remove("highway." + entry.substring(1));
            } else {
                settings.put(
                        "highway." + entry.substring(0, equals),
                        entry.substring(equals + 1).replace('␣', ' '));
            }
        }
        return settings;
    }

    private static String[] good() {
        return settings("").entrySet().stream().map(Map.Entry::toString).toArray(String[]::new);
    }

    /** What is logged when the policy is activated. */
    private static String warnings(RawSettings settings) {
        Policy policy = PolicyParser.parse(settings, "static", null).orElseThrow();
        return Stream.of(
                        new PolicyWarnings(policy).ofKeys(),
                        GuardWarnings.of(policy.guard(), policy.signing()),
                        policy.signing().warnings())
                .flatMap(List::stream)
                .map("WARN "::concat)
                .collect(Collectors.joining("\n"));
    }

    private static Case yaml(String name, String text, String... expected) {
        return of(
                name,
                () -> {
                    Path file = Files.writeString(directory.resolve("application.yml"), text);
                    return read(new YamlPropertySourceLoader().load(file.toString(), new FileSystemResource(file)));
                },
                expected);
    }

    private static Case variable(String name, String variable, String... expected) {
        int equals = variable.indexOf('=');
        return of(
                name,
                () -> read(List.of(
                        new SystemEnvironmentPropertySource(
                                "systemEnvironment",
                                Map.of(variable.substring(0, equals), variable.substring(equals + 1))),
                        new MapPropertySource("good", new HashMap<>(settings(""))))),
                expected);
    }

    private static String read(List<PropertySource<?>> sources) {
        StandardEnvironment environment = new StandardEnvironment();
        sources.forEach(environment.getPropertySources()::addLast);
        return warnings(SpringSettings.read(environment));
    }

    private static Case dubbo(String name, String keys, Consumer<DubboBootstrap> program, String... expected) {
        return of(
                name,
                () -> {
                    FrameworkModel framework = new FrameworkModel();
                    try {
                        DubboBootstrap dubbo = DubboBootstrap.getInstance(framework.newApplication());
                        Map<String, String> configuration = settings(keys);
                        configuration.put("dubbo.service.shutdown.wait", "100");
                        dubbo.getApplicationModel().modelEnvironment().initialize();
                        dubbo.getApplicationModel().modelEnvironment().updateAppConfigMap(configuration);
                        ApplicationConfig application = new ApplicationConfig("mistakes");
                        application.setQosEnable(false);
                        dubbo.application(application).registry(new RegistryConfig("N/A"));
                        program.accept(dubbo);
                        return "";
                    } finally {
                        framework.destroy();
                    }
                },
                expected);
    }

    private static <S> ReferenceConfig<S> reference(DubboBootstrap dubbo, Class<S> type) {
        ReferenceConfig<S> reference = new ReferenceConfig<>();
        reference.setInterface(type);
        reference.setUrl("dubbo://zhejiang.test:1");
        reference.setLazy(true);
        reference.setCheck(false);
        reference.setScopeModel(dubbo.getApplicationModel().getDefaultModule());
        return reference;
    }

    private static void start(DubboBootstrap dubbo, ReferenceConfig<?> reference) {
        dubbo.reference(reference).start();
        Object unused = reference.get();
    }

    /** A program with a plain reference. */
    private static Case start(String name, String keys, String... expected) {
        return dubbo(name, keys, dubbo -> start(dubbo, reference(dubbo, Sms.class)), expected);
    }

    private static Case reference(String name, Class<?> type, String... expected) {
        return dubbo(name, "", dubbo -> start(dubbo, reference(dubbo, type)), expected);
    }

    private static Case parameter(String name, String parameter, String value, String... expected) {
        return reference(name, Map.of(parameter, value), expected);
    }

    private static Case reference(String name, Map<String, String> parameters, String... expected) {
        return dubbo(
                name,
                "",
                dubbo -> {
                    ReferenceConfig<?> reference = reference(dubbo, Sms.class);
                    reference.setParameters(new HashMap<>(parameters));
                    start(dubbo, reference);
                },
                expected);
    }

    private static Case call(String name, Consumer<Sms> call, String... expected) {
        return dubbo(
                name,
                "",
                dubbo -> {
                    ReferenceConfig<Sms> reference = reference(dubbo, Sms.class);
                    start(dubbo, reference);
                    try {
                        call.accept(reference.get());
                    } finally {
                        RpcContext.removeContext();
                    }
                },
                expected);
    }

    private static ApplicationContextRunner runner(boolean withStarter) {
        ApplicationContextRunner runner = new ApplicationContextRunner()
                .withInitializer(any -> DubboSpringInitCustomizerHolder.get()
                        .addCustomizer(context -> context.setModuleModel(
                                new FrameworkModel().newApplication().getDefaultModule())))
                .withPropertyValues(
                        "dubbo.application.name=mistakes",
                        "dubbo.application.qos-enable=false",
                        "dubbo.registry.address=N/A",
                        "dubbo.protocol.port=-1",
                        "dubbo.service.shutdown.wait=100");
        return withStarter ? runner.withConfiguration(AutoConfigurations.of(HighwayAutoConfiguration.class)) : runner;
    }

    private static Case spring(String name, Class<?> beans, String... expected) {
        return context(name, runner(true).withUserConfiguration(beans).withPropertyValues(good()), expected);
    }

    private static Case context(String name, ApplicationContextRunner runner, String... expected) {
        return of(
                name,
                () -> {
                    List<String> failures = new ArrayList<>();
                    try {
                        runner.run(context -> {
                            Throwable failure = context.getStartupFailure();
                            if (failure != null) {
                                failures.add(String.valueOf(NestedExceptionUtils.getMostSpecificCause(failure)));
                            }
                        });
                    } finally {
                        DubboSpringInitCustomizerHolder.get().clearCustomizers();
                    }
                    return String.join("\n", failures);
                },
                expected);
    }

    @TempDir
    private static Path directory;

    /** Of the case that runs. */
    private static final ByteArrayOutputStream log = new ByteArrayOutputStream();

    /** What each mistake causes. */
    private static final Map<String, String> seen = new LinkedHashMap<>();

    private static final List<String> silent = new ArrayList<>();

    static Stream<Case> mistakes() {
        return Stream.of(KEYS.lines().map(MistakesTest::keys), NOTATIONS.stream(), PROGRAMS.stream(), CONTEXTS.stream())
                .flatMap(cases -> cases);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mistakes")
    void areNamed_withTheirFix(Case mistake) {
        String said = said(mistake);
        seen.put(mistake.name, said.isEmpty() ? "SILENT" : said);
        if (said.isEmpty()) {
            silent.add(mistake.name);
        }

        assertThat(said).as(mistake.name).contains(mistake.expected);
    }

    private static String said(Case mistake) {
        PrintStream before = System.err;
        log.reset();
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        String said;
        try {
            said = mistake.attempt.make();
        } catch (Exception e) {
            said = NestedExceptionUtils.getMostSpecificCause(e).toString();
        } finally {
            System.setErr(before);
        }
        return Stream.of(said, warnings()).filter(text -> !text.isEmpty()).collect(Collectors.joining("\n"));
    }

    /** The SDK's in the log; the only gateway is down in all cases. */
    private static String warnings() {
        return log.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains("WARN") && line.contains("highway: ") && !line.contains(" is down ("))
                .map(line -> "WARN " + line.substring(line.indexOf("highway: ")))
                .collect(Collectors.joining("\n"));
    }

    @AfterAll
    static void print() {
        seen.forEach((name, said) -> System.out.printf("%-50s %s%n", name, said.replace("\n", "; ")));
        System.out.println(seen.size() + " mistakes, " + silent.size() + " silent");
    }
}
