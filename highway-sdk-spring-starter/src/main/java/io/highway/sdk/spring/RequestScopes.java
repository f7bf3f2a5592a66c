// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring;

import io.highway.sdk.HighwayContext;
import io.highway.sdk.HighwayScope;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.ui.ModelMap;
import org.springframework.web.context.request.AsyncWebRequestInterceptor;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Ends the scopes that the handler of a request of Spring MVC leaves open: they would apply to the next request that the
 * thread serves. Refers to no type of the servlet API, whose package depends on its version.
 */
final class RequestScopes implements AsyncWebRequestInterceptor, WebMvcConfigurer {

    private static final String ATTRIBUTE = RequestScopes.class.getName();

    /** Around one dispatch of a request; a forward is a dispatch inside another. */
    private record Dispatch(HighwayScope scope, @Nullable Object outer) {}

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addWebRequestInterceptor(this).order(Ordered.HIGHEST_PRECEDENCE); // around those that open scopes
    }

    @Override
    public void preHandle(WebRequest request) {
        Object outer = request.getAttribute(ATTRIBUTE, RequestAttributes.SCOPE_REQUEST);
        HighwayScope scope = HighwayContext.capture().open();
        request.setAttribute(ATTRIBUTE, new Dispatch(scope, outer), RequestAttributes.SCOPE_REQUEST);
    }

    @Override
    public void postHandle(WebRequest request, @Nullable ModelMap model) {
        // the view may make calls, too
    }

    @Override
    public void afterConcurrentHandlingStarted(WebRequest request) {
        end(request);
    }

    @Override
    public void afterCompletion(WebRequest request, @Nullable Exception failure) {
        end(request);
    }

    private static void end(WebRequest request) {
        if (request.getAttribute(ATTRIBUTE, RequestAttributes.SCOPE_REQUEST) instanceof Dispatch dispatch) {
            dispatch.scope.close();
            if (dispatch.outer == null) {
                request.removeAttribute(ATTRIBUTE, RequestAttributes.SCOPE_REQUEST);
            } else {
                request.setAttribute(ATTRIBUTE, dispatch.outer, RequestAttributes.SCOPE_REQUEST);
            }
        }
    }
}
