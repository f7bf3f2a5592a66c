// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways.zuul;

import com.netflix.zuul.Filter;
import com.netflix.zuul.context.SessionContext;
import com.netflix.zuul.filters.FilterType;
import com.netflix.zuul.filters.endpoint.ProxyEndpoint;
import com.netflix.zuul.filters.http.HttpInboundSyncFilter;
import com.netflix.zuul.message.http.HttpRequestMessage;
import com.netflix.zuul.message.http.HttpResponseMessageImpl;

/** Routes by the island, which every call has in a header. */
@Filter(order = 1, type = FilterType.INBOUND)
public final class Routes extends HttpInboundSyncFilter {

    static final String ISLAND = "highway-island";

    @Override
    public int filterOrder() {
        return 1;
    }

    @Override
    public boolean shouldFilter(HttpRequestMessage request) {
        return true;
    }

    @Override
    public HttpRequestMessage apply(HttpRequestMessage request) {
        SessionContext context = request.getContext();
        String island = request.getHeaders().getFirst(ISLAND, "");
        if (Servers.isKnown(island)) {
            context.setEndpoint(ProxyEndpoint.class.getName());
            context.setRouteVIP(island);
        } else {
            HttpResponseMessageImpl unknown = new HttpResponseMessageImpl(context, request, Statements.BAD_GATEWAY);
            context.put(Statements.NOT_FORWARDED, "unknown-island");
            context.setStaticResponse(unknown);
        }
        return request;
    }
}
