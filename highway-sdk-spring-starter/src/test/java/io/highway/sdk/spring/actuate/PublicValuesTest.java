// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.highway.sdk.Caller;
import io.highway.sdk.Highway;
import io.highway.sdk.InternalContexts;
import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.HighwayExplain;
import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.Intent;
import io.highway.sdk.dubbo.IntentSource;
import io.highway.sdk.dubbo.InternalHighwayException;
import io.highway.sdk.dubbo.NetworkListener.BreakerChange;
import io.highway.sdk.dubbo.NetworkListener.HealthCheck;
import io.highway.sdk.dubbo.NetworkListener.TunnelChange;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.policy.GatewaySpec;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the SDK hands to applications shows no secret, whatever serialises it. */
@Tag("network") // starts a process
class PublicValuesTest {

    private static final String SDK = "io.highway.sdk";

    /** Each secret of the configuration below ends so. */
    private static final String SECRET = "-and-more";

    private static final ObjectMapper BY_ACCESSORS = JsonMapper.builder()
            .findAndAddModules()
            .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
            .build();

    /** Shows every field, private ones included. */
    private static final ObjectMapper BY_FIELDS =
            BY_ACCESSORS.copy().setVisibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY);

    @TempDir
    private Path folder;

    private TestRouting application() throws Exception {
        Path identity = folder.resolve("identity.p12");
        Path trusted = folder.resolve("trusted.p12");
        makeKeyStores(identity, trusted);
        Path refused = Files.writeString(
                folder.resolve("policy.yaml"), "islands: {shanghai: {sign.secret: thyme" + SECRET + "}}");
        return TestRouting.following(
                refused,
                "gateways.dubbo",
                "gateway.zhejiang.test:20880",
                "gateways.triple",
                "gateway.zhejiang.test:50051",
                "gateways.tls.trust-certificates",
                trusted.toString(),
                "gateways.tls.trust-password",
                "dill" + SECRET,
                "gateways.tls.certificate",
                identity.toString(),
                "gateways.tls.key-password",
                "basil" + SECRET,
                "islands.shanghai.fallback",
                "home",
                "islands.shanghai.bulk.over",
                "16KB",
                "islands.shanghai.gateways.dubbo",
                "gateway.shanghai.test:20880",
                "islands.shanghai.gateways.tls.trust-certificates",
                trusted.toString(),
                "islands.shanghai.gateways.tls.trust-password",
                "dill" + SECRET,
                "sign.key-id",
                "zhejiang-2026",
                "sign.secret",
                "salt" + SECRET,
                "sign.accept.shanghai-2026",
                "pepper" + SECRET);
    }

    private static void makeKeyStores(Path identity, Path trusted) throws Exception {
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "one",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=zhejiang.test",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        identity.toString(),
                        "-storepass",
                        "basil" + SECRET)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
        KeyStore to = KeyStore.getInstance("PKCS12");
        to.load(null, null);
        to.setCertificateEntry("one", certificate(identity));
        try (OutputStream file = Files.newOutputStream(trusted)) {
            to.store(file, ("dill" + SECRET).toCharArray());
        }
    }

    private static java.security.cert.Certificate certificate(Path identity)
            throws IOException, GeneralSecurityException {
        KeyStore from = KeyStore.getInstance("PKCS12");
        try (InputStream file = Files.newInputStream(identity)) {
            from.load(file, ("basil" + SECRET).toCharArray());
        }
        return from.getCertificate("one");
    }

    /** One of each type that applications receive, made as the SDK makes it. */
    private static List<Object> values(TestRouting application) {
        List<Object> values = new ArrayList<>();
        Intent intent = Intent.of(IntentSource.SCOPE, "shanghai");
        for (GatewaySpec gateway : application.policy().gateways()) {
            GatewayAddress address = gateway.address();
            assertThat(gateway.tls()).isNotNull();
            CallOutcome outcome = new CallOutcome(
                    "com.foo.Sms",
                    "send",
                    intent,
                    "shanghai",
                    address,
                    Outcome.NOT_SENT,
                    Reason.NOT_FORWARDED,
                    false,
                    Duration.ofMillis(7),
                    null,
                    TrafficClass.INTERACTIVE,
                    "shanghai",
                    null);
            application.runtime.activity().remember(outcome);
            values.add(outcome);
            values.add(new HealthCheck("shanghai", address, Duration.ofMillis(7), TrafficClass.INTERACTIVE));
            values.add(new BreakerChange("shanghai", address, true, TrafficClass.INTERACTIVE));
        }
        application.connected().refer("com.foo.Sms");
        values.add(HighwayReport.of(application.model()).orElseThrow());
        values.addAll(HighwayExplain.of(
                application.model(),
                HighwayExplain.Call.of("com.foo.Sms", "send").attachment("shanghai")));
        values.add(InternalHighwayException.create(
                "com.foo.Sms#send",
                Reason.NOT_FORWARDED,
                intent,
                "shanghai",
                false,
                "decided",
                "what",
                "advice",
                null));
        values.add(
                new TunnelChange("shanghai", TunnelKind.DUBBO, TunnelKind.TRIPLE, "cause", TrafficClass.INTERACTIVE));
        values.add(Caller.of("zhejiang", "shop"));
        values.add(Highway.to("shanghai"));
        values.add(InternalContexts.servedFor(Caller.of("zhejiang", "shop"), 1));
        return values;
    }

    @Test
    void noValueOfTheApi_showsASecret() throws Exception {
        try (TestRouting application = application()) {
            Set<Object> all = new LinkedHashSet<>();
            values(application).forEach(value -> collect(value, all));

            assertThat(reachable(values(application)))
                    .as("public types that the values lead to: each needs a value here")
                    .allMatch(type -> type.isEnum() || all.stream().anyMatch(type::isInstance));
            for (Object value : all) {
                assertThat(json(BY_ACCESSORS, value))
                        .as(value.getClass().getName())
                        .doesNotContain(SECRET);
                assertThat(json(BY_FIELDS, value))
                        .as(value.getClass().getName())
                        .doesNotContain(SECRET);
                assertThat(value.toString()).as(value.getClass().getName()).doesNotContain(SECRET);
            }
        }
    }

    @Test
    void theSearchFindsSecrets() throws Exception {
        try (TestRouting application = application()) {
            GatewaySpec withTls = application.policy().gateways().iterator().next();

            assertThat(json(BY_FIELDS, withTls)).contains(SECRET);
        }
    }

    private static String json(ObjectMapper mapper, Object value) {
        try {
            return value instanceof HighwayException failure
                    ? mapper.writeValueAsString(Map.of(
                            "message", failure.getMessage(), "intent", failure.intent(), "reason", failure.reason()))
                    : mapper.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Adds a value, and all values that its accessors lead to. */
    private static void collect(@Nullable Object value, Set<Object> all) {
        if (value instanceof Optional<?> optional) {
            optional.ifPresent(one -> collect(one, all));
        } else if (value instanceof Collection<?> many) {
            many.forEach(one -> collect(one, all));
        } else if (value instanceof Map<?, ?> map) {
            map.values().forEach(one -> collect(one, all));
        } else if (value != null && value.getClass().getName().startsWith(SDK) && all.add(value)) {
            accessors(value.getClass()).forEach(accessor -> collect(read(accessor, value), all));
        }
    }

    private static @Nullable Object read(Method accessor, Object value) {
        try {
            accessor.setAccessible(true);
            return accessor.invoke(value);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(accessor.toString(), e);
        }
    }

    private static Stream<Method> accessors(Class<?> type) {
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getParameterCount() == 0 && !Modifier.isStatic(method.getModifiers()))
                .filter(method -> method.getDeclaringClass().getName().startsWith(SDK))
                .filter(method -> !method.getName().equals("open"));
    }

    /** The types of the SDK that the accessors of public types lead to. */
    private static Set<Class<?>> reachable(List<Object> from) {
        Set<Class<?>> types = new LinkedHashSet<>();
        from.forEach(value -> add(publicType(value.getClass()), types));
        return types;
    }

    private static Class<?> publicType(Class<?> type) {
        return Modifier.isPublic(type.getModifiers()) ? type : type.getInterfaces()[0];
    }

    private static void add(Type type, Set<Class<?>> types) {
        if (type instanceof ParameterizedType generic) {
            Arrays.stream(generic.getActualTypeArguments()).forEach(argument -> add(argument, types));
        } else if (type instanceof Class<?> known && known.getName().startsWith(SDK) && types.add(known)) {
            accessors(known).forEach(accessor -> add(accessor.getGenericReturnType(), types));
        }
    }
}
