// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.Highway;
import io.highway.sdk.HighwayContext;
import io.highway.sdk.HighwayScope;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;

/** What the end of a request of Spring MVC does to scopes. */
class RequestScopesTest {

    private final Map<String, Object> attributes = new HashMap<>();
    private final RequestScopes scopes = new RequestScopes();

    /** Has attributes and nothing else. */
    private final WebRequest request = (WebRequest) Proxy.newProxyInstance(
            WebRequest.class.getClassLoader(), new Class<?>[] {WebRequest.class}, (proxy, method, arguments) -> {
                String name = (String) arguments[0];
                return switch (method.getName()) {
                    case "getAttribute" -> attributes.get(name);
                    case "setAttribute" -> attributes.put(name, arguments[1]) == null ? null : null;
                    default -> attributes.remove(name) == null ? null : null;
                };
            });

    @AfterEach
    void noScopeIsLeftOpen() {
        assertThat(HighwayContext.capture()).isEqualTo(HighwayContext.empty());
        assertThat(attributes).isEmpty();
    }

    @Test
    void endsTheScopesThatTheHandlerLeavesOpen() {
        scopes.preHandle(request);
        HighwayScope lost = Highway.to("shanghai").open();

        scopes.afterCompletion(request, null);

        assertThat(HighwayContext.capture().route()).isNull();
        lost.close();
    }

    /** The application's interceptors are around the handler, and inside this one. */
    @Test
    void endsThoseThatOtherInterceptorsLeaveOpen() throws ReflectiveOperationException {
        InterceptorRegistry registry = new InterceptorRegistry();
        registry.addWebRequestInterceptor(new RequestScopes()); // as another one, without an order
        scopes.addInterceptors(registry);

        Method interceptors = InterceptorRegistry.class.getDeclaredMethod("getInterceptors");
        interceptors.setAccessible(true);
        List<?> order = (List<?>) interceptors.invoke(registry);

        assertThat(order).hasSize(2);
        assertThat(new DirectFieldAccessor(order.get(0)).getPropertyValue("requestInterceptor"))
                .isSameAs(scopes);
    }

    @Test
    void endsThem_whenTheRequestGoesOnLater() {
        scopes.preHandle(request);
        HighwayScope lost = Highway.to("shanghai").open();
        scopes.afterConcurrentHandlingStarted(request);

        assertThat(HighwayContext.capture().route()).isNull();
        scopes.preHandle(request);
        scopes.afterCompletion(request, null);
        lost.close();
    }

    @Test
    void leavesOpenWhatWasOpenBefore_whenAForwardEnds() {
        Highway.to("beijing").run(() -> {
            scopes.preHandle(request);
            HighwayScope ofTheHandler = Highway.to("shanghai").open();
            scopes.preHandle(request);
            HighwayScope ofTheForward = Highway.to("cloud").open();

            scopes.afterCompletion(request, null);
            assertThat(HighwayContext.capture().route()).isEqualTo(Highway.to("shanghai"));
            scopes.afterCompletion(request, new IllegalStateException());
            assertThat(HighwayContext.capture().route()).isEqualTo(Highway.to("beijing"));
            ofTheForward.close();
            ofTheHandler.close();
        });
    }
}
