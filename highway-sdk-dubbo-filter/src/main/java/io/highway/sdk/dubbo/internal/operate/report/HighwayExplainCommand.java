// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.operate.report;

import io.highway.sdk.dubbo.HighwayExplain;
import io.highway.sdk.dubbo.HighwayExplain.Call;
import io.highway.sdk.dubbo.HighwayExplain.Limits;
import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.provider.guard.GuardExplanation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.dubbo.common.BaseServiceMetadata;
import org.apache.dubbo.qos.api.BaseCommand;
import org.apache.dubbo.qos.api.Cmd;
import org.apache.dubbo.qos.api.CommandContext;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/**
 * The QoS command {@code highwayExplain}: where a call of this application would go, or what its guard decides about a
 * call from another island, and why. Sends nothing.
 */
@Cmd(
        name = "highwayExplain",
        summary = "Where a call would go, or whether the guard would serve it, and why. Sends nothing.",
        example = {
            "highwayExplain com.foo.SmsService#send",
            "highwayExplain com.foo.SmsService#send shanghai",
            "highwayExplain com.foo.SmsService#send key=310000 --json",
            "highwayExplain com.foo.SmsService#send from=zhejiang/orders"
        })
public record HighwayExplainCommand(FrameworkModel framework) implements BaseCommand {

    @Override
    public String execute(CommandContext context, String @Nullable [] args) {
        return QosArguments.run(
                framework, context, args, List.of("island", "scope", "key", "from"), (application, arguments) -> {
                    String from = arguments.option("from");
                    if (from != null) {
                        return guard(application, call(arguments), from, arguments.isJson());
                    }
                    List<HighwayExplain> explained = HighwayExplain.of(application, call(arguments));
                    if (explained.isEmpty()) {
                        return null;
                    }
                    return arguments.isJson()
                            ? explained
                            : explained.stream()
                                    .map(HighwayExplainCommand::text)
                                    .collect(Collectors.joining(System.lineSeparator()));
                });
    }

    private static @Nullable Object guard(ApplicationModel application, Call call, String from, boolean json) {
        Policy policy = HighwayRuntime.of(application).policyIfRead();
        if (policy == null) {
            return null;
        }
        if (call.attachment() != null || call.scope() != null || call.key() != null) {
            throw new IllegalArgumentException("from=" + from
                    + " asks this island's guard about a call that arrives; leave out island, scope and key");
        }
        String service = BaseServiceMetadata.interfaceFromServiceKey(call.service());
        String method = call.method().replaceFirst("\\(.*", "");
        GuardExplanation explained = GuardExplanation.of(policy, service, method, from);
        if (json) {
            Map<String, @Nullable Object> all = new LinkedHashMap<>();
            all.put("service", service);
            all.put("method", method);
            all.put("from", from);
            all.putAll(PlainValues.components(explained));
            return all;
        }
        TextTable rules = new TextTable("RULE", "ACTION", "MATCHES", "RATE");
        explained
                .rules()
                .forEach(rule -> rules.row(
                        rule.name(),
                        rule.action(),
                        rule.matches() ? "yes" : "no",
                        rule.rate() == null ? null : rule.rate() + "/s"));
        return HighwayCommand.tables(
                service + "#" + method + " from " + from + ", policy " + explained.policyVersion()
                        + System.lineSeparator() + explained.decision()
                        + (explained.reason() == null ? "" : " as " + explained.reason())
                        + (explained.owner() == null ? "" : ", owner: " + explained.owner()),
                List.of(rules));
    }

    private static Call call(QosArguments arguments) {
        String name = Objects.requireNonNullElse(arguments.at(0), "");
        int hash = name.indexOf('#');
        if (hash < 1 || hash == name.length() - 1 || arguments.positional().size() > 2) {
            throw new IllegalArgumentException(
                    "write [group/]interface[:version]#method [island] [scope=<island or home>]"
                            + " [key=<business key>] [from=<island>/<application>] [--json], such as com.foo.SmsService#send shanghai; in a URL, # is %23");
        }
        Call call = Call.of(name.substring(0, hash), name.substring(hash + 1));
        String island = arguments.at(1) != null ? arguments.at(1) : arguments.option("island");
        call = island == null ? call : call.attachment(island);
        String scope = arguments.option("scope");
        call = scope == null ? call : call.scope(scope);
        String key = arguments.option("key");
        return key == null ? call : call.key(key);
    }

    private static String text(HighwayExplain explained) {
        TextTable sources = new TextTable("SOURCE", "ASKS FOR", "WHEN", "");
        explained
                .sources()
                .forEach(source -> sources.row(
                        source.source(),
                        source.problem() != null ? source.problem() : source.asked(),
                        source.when(),
                        source.chosen() ? "followed" : " "));
        TextTable rules = new TextTable("RULE", "", "RESULT", "WHY");
        explained.rules().forEach(rule -> rules.row(rule.number(), rule.rule(), rule.result(), rule.why()));
        TextTable endpoints = new TextTable("ORDER", "TUNNEL", "ENDPOINT", "STATE", "PROBLEM");
        int order = 0;
        for (HighwayReport.Endpoint endpoint : explained.endpoints()) {
            order++;
            endpoints.row(order, endpoint.tunnel(), endpoint.gateway(), endpoint.state(), endpoint.problem());
        }
        explained
                .skipped()
                .forEach(endpoint -> endpoints.row(
                        "skipped", endpoint.tunnel(), endpoint.gateway(), endpoint.state(), endpoint.problem()));
        return HighwayCommand.tables(
                heading(explained),
                List.of(
                        sources,
                        rules,
                        endpoints,
                        HighwayCommand.table("HEADER", "VALUE", explained.headers()),
                        HighwayCommand.table("LIMIT", "VALUE", limits(explained.limits()))));
    }

    private static String heading(HighwayExplain explained) {
        String line = System.lineSeparator();
        return explained.service() + "#" + explained.method() + ", policy "
                + explained.policyVersion() + line
                + explained.decision()
                + (explained.island() == null ? "" : " to " + explained.island())
                + (explained.reason() == null ? "" : " as " + explained.reason())
                + ": " + explained.why() + (explained.action() == null ? "" : ". " + explained.action());
    }

    private static Map<String, Object> limits(@Nullable Limits limits) {
        Map<String, Object> rows = new LinkedHashMap<>();
        if (limits != null) {
            rows.put("class", limits.trafficClass());
            rows.put("timeout", limits.timeoutMillis() + " ms");
            rows.put("retries", limits.retries());
            rows.put("max-request-size", limits.maxRequestBytes() + " bytes");
            rows.put("max-concurrent", limits.maxConcurrent() == null ? "unlimited" : limits.maxConcurrent());
            rows.put("max-wait", limits.maxWaitMillis() + " ms");
            rows.put("fallback", limits.fallback() == null ? "none" : limits.fallback());
        }
        return rows;
    }
}
