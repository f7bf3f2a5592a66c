// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways.zuul;

import com.netflix.zuul.Filter;
import com.netflix.zuul.context.SessionContext;
import com.netflix.zuul.filters.FilterType;
import com.netflix.zuul.filters.http.HttpOutboundSyncFilter;
import com.netflix.zuul.message.http.HttpResponseMessage;
import com.netflix.zuul.stats.status.StatusCategory;
import com.netflix.zuul.stats.status.StatusCategoryUtils;
import com.netflix.zuul.stats.status.ZuulStatusCategory;
import java.util.Set;

/** States in the answer that a call was not forwarded; a provider must not. */
@Filter(order = 1, type = FilterType.OUTBOUND)
public final class Statements extends HttpOutboundSyncFilter {

    static final int BAD_GATEWAY = 502;
    static final String NOT_FORWARDED = "highway-not-forwarded";

    private static final int UNAVAILABLE = 503;

    /** No connection was made. */
    private static final Set<StatusCategory> UNREACHABLE = Set.of(
            ZuulStatusCategory.FAILURE_ORIGIN_CONNECTIVITY,
            ZuulStatusCategory.FAILURE_ORIGIN_NO_SERVERS,
            ZuulStatusCategory.FAILURE_LOCAL_THROTTLED_ORIGIN_SERVER_MAXCONN);

    @Override
    public int filterOrder() {
        return 1;
    }

    @Override
    public boolean shouldFilter(HttpResponseMessage response) {
        return true;
    }

    @Override
    public HttpResponseMessage apply(HttpResponseMessage response) {
        SessionContext context = response.getContext();
        String island = response.getInboundRequest().getHeaders().getFirst(Routes.ISLAND, "");
        StatusCategory category = StatusCategoryUtils.getStatusCategory(context);
        Object reason = category != null && UNREACHABLE.contains(category)
                ? "upstream-unreachable"
                : context.get(NOT_FORWARDED);
        response.getHeaders().remove(NOT_FORWARDED);
        if (reason != null) {
            response.getHeaders().set(NOT_FORWARDED, island + ";" + reason);
        }
        // Zuul's own: some gateways, and Zuul by default, send a call again after a 503.
        if (response.getStatus() == UNAVAILABLE && context.getError() != null) {
            response.setStatus(BAD_GATEWAY);
        }
        return response;
    }
}
