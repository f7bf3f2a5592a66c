# SPDX-License-Identifier: Apache-2.0
"""Publishes what benchmarks have measured: numbers and plots into docs/maintain/benchmarks/, and from these numbers the tables of
all pages in docs, between marks such as <!-- tunnel --> and <!-- end of tunnel -->.

Usage: page.py <folder with *.json> <docs folder>; the numbers of benchmarks that were not run as a whole stay as they are.
"""
import json
import pathlib
import re
import shutil
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

INK = "#7d7d7d"  # 4:1 on white and on the dark pages of the site; the plots have no background
plt.rcParams.update({
    "svg.hashsalt": "highway",  # the same numbers make the same file
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "grid.alpha": 0.3,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "legend.facecolor": "none",
    "legend.edgecolor": INK,
    **dict.fromkeys(["text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color", "grid.color"], INK),
})
COLOURS = {
    "direct": "#7a7a7a",
    "dubbo": "#1f77b4", "dubbo tunnel": "#1f77b4", "triple": "#2ca02c", "triple tunnel": "#2ca02c",
    "Envoy": "#9467bd", "nginx": "#17becf", "HAProxy": "#b07a6a", "Spring Cloud Gateway": "#e377c2",
    "reference gateway": "#bcbd22", "Zuul": "#ff7f0e", "Zuul 2.6.9, its defaults": "#d62728", "EdgeService": "#1f77b4",
    "idle link": "#7a7a7a", "full link": "#ff7f0e", "gzip": "#7a7a7a", "gzip, streams": "#ff7f0e", "zstd": "#2ca02c", "zstd, dictionary": "#1f77b4", "zstd, shared dictionary": "#9467bd",
    "plain Dubbo": "#7a7a7a", "plain Triple": "#bcbd22",
    "1 caller": "#1f77b4", "64 callers": "#ff7f0e", "30 Mbit/s": "#1f77b4", "50 Mbit/s": "#ff7f0e",
}
OTHER = "#7a7a7a"
TARGET = "#d62728"
NAMES = ["decision", "tunnel", "legacy", "thin-link", "scale", "gateways", "compression", "memory"]
LONG, FAMILIES = "thin-link-long", "thin-link-families"  # these parts have numbers of their own
PARTS = {LONG: "long_goodput_80k_60ms", FAMILIES: "family_worst"}
HTTP = "gateways-http"  # with gateways that are not built by default
RUNS = {"tunnel --only direct,envoy,nginx": "tunnel",  # straight to a provider, too, which the default leaves out
        "gateways --over http": HTTP}
WIDTH, HEIGHT = 9, 3.4

DIRECT = "gateway=direct body_bytes=2048 protocol"
THROUGH = "gateway!=direct body_bytes=2048 protocol"

# What each benchmark is to reach: what it says, whether each must be at most or at least its target, and the fields, or one of
# the cases (see measured), each with its target, a number or another field.
TARGETS = [
    ("decision", "home call, more than without the SDK: bytes; ns; ns against Dubbo's tag router", "most",
     [("home_bytes", 0), ("home_extra_ns", 100), ("home_extra_ns", "tag_router_ns")]),
    ("tunnel", "Triple, 2 KB, straight to a provider: p50; processor time", "most",
     [(f"most p50_ratio of {DIRECT}=triple", 0.8), (f"most processor_ratio of {DIRECT}=triple", 0.7)]),
    ("tunnel", "the same, 64 callers: calls/s", "least", [(f"least throughput_ratio of callers=64 {DIRECT}=triple", 1.25)]),
    ("tunnel", "Dubbo, 2 KB, straight to a provider: p50; processor time", "most",
     [(f"most p50_ratio of {DIRECT}=dubbo", 0.98), (f"most processor_ratio of {DIRECT}=dubbo", 0.97)]),
    ("tunnel", "Triple, 2 KB, through gateways: p50; processor time", "most",
     [(f"most p50_ratio of {THROUGH}=triple", 0.9), (f"most processor_ratio of {THROUGH}=triple", 0.85)]),
    ("tunnel", "worst of {cases} cases: p50", "most", [("p50_ratio", 1.02)]),
    ("tunnel", "worst of {cases} cases: calls/s", "least", [("throughput_ratio", 0.95)]),
    ("tunnel", "bytes that a caller allocates, 2 KB: Triple; Dubbo", "most",
     [("most allocated_ratio of body_bytes=2048 protocol=triple", 0.92),
      ("most allocated_ratio of body_bytes=2048 protocol=dubbo", 1.01)]),
    ("tunnel", "more bytes per call on the wire", "most", [("extra_bytes", 64)]),
    ("legacy", "round trip with 2 KB, Dubbo tunnel / version 1", "most", [("rt_ratio_dubbo_2k", 0.5)]),
    ("thin-link", "goodput, tunnels / plain Dubbo: 64 callers with 2 KB; with 80 KB; 8 callers; one", "least",
     [("goodput_ratio_2k", 0.97), ("goodput_ratio_80k", 0.97), ("least goodput_ratio of callers=8", 0.97),
      ("least goodput_ratio of callers=1", 0.97)]),
    ("thin-link", "goodput of JSON-like text by Triple, gzip / none: worst size; 80 KB", "least",
     [("gzip_gain", 3), ("gzip_gain_80k", 3)]),
    ("thin-link", "calls/s with 2 KB over 30 Mbit/s", "least", [("calls_2k_30mbit", 1450)]),
    ("thin-link", "calls/s of generated orders over 10 Mbit/s, the better of zstd with and without a dictionary / none: 2 KB; "
     "answers of 2 KB; 80 KB; answers of 80 KB", "least",
     [("zstd_gain_2k", 3.5), ("zstd_gain_download_2k", 3.5), ("zstd_gain_80k", 5), ("zstd_gain_download_80k", 5)]),
    # Seven tenths of the bytes of a message / its bytes of information.
    (FAMILIES, "calls/s of 2 KB over 10 Mbit/s, zstd with a dictionary of other content / none: shop orders in JSON; as objects; "
     "tenders; documents; sensor rows", "least",
     [(f"family_gain_10mbit_{family}", least) for family, least in (("orders_text", 2), ("orders_objects", 1.6), ("tenders", 3),
                                                                    ("documents", 1.25), ("sensors", 10))]),
    ("thin-link", "processor time per call, zstd / gzip: 2 KB; with a dictionary; 80 KB; with a dictionary", "most",
     [("zstd_processor_ratio_2k", 1), ("dictionary_processor_ratio_2k", 1), ("zstd_processor_ratio_80k", 1),
      ("dictionary_processor_ratio_80k", 1)]),
    ("thin-link", "calls/s with random bytes, zstd / none, worst size: requests; with a dictionary; answers; with a dictionary",
     "least", [("zstd_incompressible", 0.99), ("dictionary_incompressible", 0.99), ("zstd_incompressible_download", 0.99),
               ("dictionary_incompressible_download", 0.99)]),
    ("thin-link", "goodput with bulk and interactive classes / bulk alone without, worse tunnel", "least",
     [("classes_goodput_ratio", 0.97)]),
    ("thin-link", "p99 of interactive calls next to bulk ones over 30 Mbit/s, more than on an idle link, ms: Dubbo; Triple", "most",
     [("classes_p99_ms_dubbo - classes_idle_p99_ms_dubbo", 46), ("classes_p99_ms_triple - classes_idle_p99_ms_triple", 46)]),
    (LONG, "part of 30 Mbit/s that 8 callers with 80 KB use at round trips of 60 ms, worse tunnel: requests; answers", "least",
     [("long_goodput_80k_60ms", 0.95), ("long_goodput_download_80k_60ms", 0.95)]),
    ("compression", "processor time of a message, zstd / gzip, worst content and size: without; with a dictionary", "most",
     [("zstd_time_ratio", 1), ("dictionary_time_ratio", 1)]),
    ("scale", "connections per gateway address, 500 services, 30 islands", "most",
     [("connections_per_gateway", "connections_1_service")]),
    ("scale", "start-up with 500 references, SDK / without: gateways up; down", "most",
     [("startup_ratio", 1.05), ("startup_ratio_gateway_down", 1.05)]),
]
HOME_CALLS = {
    "home": "no island asked for", "attachment": "attachment", "scope": "scope", "key": "`@IslandKey` argument",
    "method": "`@Island` on the method", "interface": "`@Island` on the interface", "reference": "reference parameter",
    "configuration": "`highway.services.*`", "tag_router": "Dubbo's tag router", "zone_aware": "Dubbo's zone-aware cluster",
}
# Calls per second that gateways cost in the comparison of the founding documents.
PUBLISHED = {"Zuul": "60 %", "Spring Cloud Gateway": "34 %", "EdgeService": "20 %"}
# Of tables on a Chinese page.
CHINESE = {"reference gateway": "参考网关", ", its defaults": "，默认配置", ", ": "，", "published": "已发表的数据", " %": "%"}


def kilobytes(size):
    return f"{round(size / 1024)} KB" if size else "mixed"


def colour(name):
    """The same for the same thing in every plot; versions do not count."""
    return COLOURS.get(re.sub(r" \d[\d.]*$", "", name), OTHER)


def save(figure, file):
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None})
    plt.close(figure)


def bars(axes, labels, series):
    """Grouped bars: series is a list of (name, medians, leasts, mosts); without leasts and mosts no whiskers."""
    width = 0.8 / len(series)
    for index, (name, medians, leasts, mosts) in enumerate(series):
        places = [i + (index - (len(series) - 1) / 2) * width for i in range(len(labels))]
        errors = leasts and [[m - l for m, l in zip(medians, leasts)], [h - m for m, h in zip(medians, mosts)]]
        axes.bar(places, medians, width, yerr=errors, label=name, color=colour(name),
                 error_kw={"elinewidth": 0.8, "ecolor": INK})
    axes.set_xticks(range(len(labels)), labels)


def line(axes, value, name, style="--"):
    axes.axhline(value, color=TARGET if style == "--" else INK, linewidth=0.8, linestyle=style, label=name)


def series(name, cases, key):
    return name, *([case[key + end] for case in cases] for end in ("", "_least", "_most"))


def tunnel(report, folder):
    cases = [case for case in report["cases"] if "callers" in case]
    groups = list(dict.fromkeys((case["gateway"], case["protocol"], case["body_bytes"]) for case in cases))
    for key, target, what, whiskers, file in (
            ("p50_ratio", 1.02, "p50 of a call: SDK / plain reference\n(lower is better)",
             "whiskers: least and most of the connections", "tunnel-latency.svg"),
            ("throughput_ratio", 0.95, "calls per second: SDK / plain reference\n(higher is better)",
             "medians of the slices", "tunnel-throughput.svg")):
        figure, axes = plt.subplots(figsize=(WIDTH, HEIGHT))
        line(axes, 1, "equal", "-")
        line(axes, target, f"target: {target}")
        for shift, callers in ((-0.12, 1), (0.12, 64)):
            for place, group in enumerate(groups):
                case = next(case for case in cases if case["callers"] == callers
                            and (case["gateway"], case["protocol"], case["body_bytes"]) == group)
                errors = None
                if key == "p50_ratio":
                    errors = [[case[key] - case[key + "_least"]], [case[key + "_most"] - case[key]]]
                name = f"{callers} caller{'s' if callers > 1 else ''}"
                axes.errorbar(place + shift, case[key], yerr=errors, fmt="o", markersize=4, elinewidth=0.8,
                              color=colour(name), label=name if place == 0 else None)
        axes.set_xticks(range(len(groups)), [f"{gateway.split()[0]}\n{protocol}, {kilobytes(size)}"
                                             for gateway, protocol, size in groups], fontsize=7)
        axes.set_ylabel(what)
        axes.set_title(whiskers, fontsize=8)
        axes.legend(frameon=False, fontsize=7, ncols=4)
        save(figure, folder / file)


def legacy(report, folder):
    first = "version_1"
    ways = [way for way in dict.fromkeys(case["way"] for case in report["cases"]) if way != first]
    sizes = list(dict.fromkeys(kilobytes(case["order_json_bytes"]) for case in report["cases"]))
    figure, panels = plt.subplots(1, 2, figsize=(WIDTH, HEIGHT))
    for axes, key, what in (
            (panels[0], "rt_ratio", "p50 of a round trip / version 1\n(one caller; lower is better)"),
            (panels[1], "throughput_ratio", "calls per second / version 1\n(32 callers; higher is better)")):
        bars(axes, sizes,
             [series(way, [case for case in report["cases"] if case["way"] == way], key) for way in ways])
        line(axes, 1, "version 1", "-")
        axes.set_ylabel(what)
        axes.set_xlabel("order as JSON")
        axes.set_title("whiskers: least and most of the rounds", fontsize=8)
    panels[1].legend(frameon=False, fontsize=7, loc="upper left")
    save(figure, folder / "legacy.svg")


def thin_link(report, folder):
    cases = [case for case in report["cases"] if case["way"] in ("dubbo tunnel", "triple tunnel")
             and case["content"] == "random" and "direction" not in case]
    sizes = sorted({case["body_bytes"] for case in cases})
    rates = sorted({case["rate_mbit"] for case in cases})
    counts = sorted({case["callers"] for case in cases})
    figure, panels = plt.subplots(1, len(sizes) + 1, figsize=(WIDTH, HEIGHT))
    for axes, size in zip(panels, sizes):
        for way in ("dubbo tunnel", "triple tunnel"):
            for rate, style in zip(rates, ("-", ":")):
                some = [next(case for case in cases if (case["way"], case["rate_mbit"], case["body_bytes"],
                                                        case["callers"]) == (way, rate, size, callers))
                        for callers in counts]
                axes.plot(range(len(counts)), [case["goodput_ratio"] for case in some], style, marker="o",
                          markersize=3, linewidth=1.2, color=colour(way), label=f"{way}, {rate} Mbit/s")
        line(axes, 0.97, "target: 0.97")
        axes.set_ylim(0, 1.2)
        axes.set_xticks(range(len(counts)), counts)
        axes.set_xlabel(f"callers, bodies of {kilobytes(size)}")
    panels[0].set_ylabel("goodput / plain Dubbo\n(higher is better)")
    panels[0].legend(frameon=False, fontsize=6, loc="lower right")
    most = max(counts)

    def goodput(way, rate, size):
        return next(case["goodput_mbit"] for case in report["cases"] if case["content"] == "json"
                    and (case["way"], case["rate_mbit"], case["body_bytes"], case["callers"]) == (way, rate, size, most))

    axes = panels[-1]
    bars(axes, [kilobytes(size) for size in sizes],
         [(f"{rate} Mbit/s", [goodput("triple tunnel, gzip", rate, size) / goodput("triple tunnel", rate, size)
                              for size in sizes], None, None) for rate in rates])
    line(axes, 3, "target: 3")
    axes.set_ylabel("goodput of JSON: gzip / without\n(higher is better)")
    axes.set_xlabel(f"bodies, {most} callers")
    axes.legend(frameon=False, fontsize=6, loc="upper left")
    save(figure, folder / "thin-link.svg")
    thin_link_compression(report, folder)
    thin_link_classes(report, folder)


def thin_link_compression(report, folder):
    cases = [case for case in report["cases"] if "direction" in case and "orders as" in case["content"]]
    rate = min(case["rate_mbit"] for case in cases)
    groups = list(dict.fromkeys((case["content"], case["body_bytes"]) for case in cases))
    ways = [way for way in dict.fromkeys(case["way"] for case in cases) if way != "triple tunnel"]
    figure, panels = plt.subplots(1, 2, figsize=(WIDTH, HEIGHT), sharey=True)
    for axes, direction in zip(panels, ("upload", "download")):
        by_group = {(case["content"], case["body_bytes"], case["way"]): case for case in cases
                    if (case["direction"], case["rate_mbit"]) == (direction, rate)}
        bars(axes, [f"{content.split(' ')[-1]}\n{kilobytes(size)}" for content, size in groups],
             [series(way.replace("triple tunnel, ", ""), [by_group[*group, way] for group in groups], "gain")
              for way in ways])
        line(axes, 1, "not compressed", "-")
        line(axes, 3.5, "target with 2 KB: 3.5")
        axes.set_xlabel(f"{direction}s of orders, {rate} Mbit/s, 64 callers")
    panels[0].set_ylim(0, 8)
    panels[0].set_ylabel("calls per second / not compressed\n(higher is better)")
    panels[0].set_title("whiskers: least and most of the rounds", fontsize=8)
    panels[1].legend(frameon=False, fontsize=7, ncols=3, loc="upper left")
    save(figure, folder / "thin-link-compression.svg")


def thin_link_classes(report, folder):
    cases = [case for case in report["cases"] if "interactive_p99_ms" in case]
    figure, axes = plt.subplots(figsize=(WIDTH, HEIGHT))
    bars(axes, [case["way"].replace(", classes", ",\nclasses") for case in cases],
         [series(f"{name} link", cases, f"{key}_p99_ms") for name, key in (("idle", "idle"), ("full", "interactive"))])
    axes.set_yscale("log")
    axes.set_ylabel("p99 of calls with 2 KB, ms\n(lower is better)")
    axes.set_title("full: 64 callers with 80 KB beside 4 with 2 KB; whiskers: least and most of the rounds", fontsize=8)
    axes.legend(frameon=False, fontsize=7)
    save(figure, folder / "thin-link-classes.svg")


def thin_link_long(report, folder):
    cases = [case for case in report["cases"] if "round_trip_ms" in case and case["callers"] == 8]
    sizes = sorted({case["body_bytes"] for case in cases})
    trips = sorted({case["round_trip_ms"] for case in cases})
    figure, panels = plt.subplots(1, len(sizes), figsize=(WIDTH, HEIGHT), sharey=True)
    for axes, size in zip(panels, sizes):
        for way in dict.fromkeys(case["way"] for case in cases):
            for direction, style in (("upload", "-"), ("download", ":")):
                by_trip = {case["round_trip_ms"]: case["goodput_to_link"] for case in cases
                           if (case["way"], case["body_bytes"], case["direction"]) == (way, size, direction)}
                axes.plot(range(len(trips)), [by_trip.get(trip) for trip in trips], style, marker="o", markersize=3,
                          linewidth=1.2, color=colour(way), label=f"{way}, {direction}s")
        line(axes, 0.95, "target with 80 KB, 60 ms: 0.95")
        axes.set_ylim(0, 1.05)
        axes.set_xticks(range(len(trips)), trips)
        axes.set_xlabel(f"round trip, ms; 8 callers, {kilobytes(size)}")
    panels[0].set_ylabel("goodput / 30 Mbit/s\n(higher is better)")
    panels[-1].legend(frameon=False, fontsize=6, loc="lower left")
    save(figure, folder / "thin-link-long.svg")


def gateways(report, folder):
    ways = [way for way in dict.fromkeys(case["way"] for case in report["cases"]) if way != "direct"]
    groups = list(dict.fromkeys((case["protocol"], case["body_bytes"]) for case in report["cases"]))
    figure, axes = plt.subplots(figsize=(WIDTH, HEIGHT))
    found = []
    for way in ways:
        by_group = {(case["protocol"], case["body_bytes"]): case for case in report["cases"] if case["way"] == way}
        shares = [[100 - by_group[group]["loss_percent" + end] if group in by_group else 0 for group in groups]
                  for end in ("", "_most", "_least")]
        found.append((way, *shares))
    bars(axes, [f"{protocol}\n{kilobytes(size)}" for protocol, size in groups], found)
    line(axes, 100, "direct", "-")
    axes.set_ylabel("calls per second, % of direct calls\n(32 callers; higher is better)")
    axes.set_title("whiskers: least and most of the rounds", fontsize=8)
    axes.set_ylim(0, 150)
    axes.legend(frameon=False, fontsize=7, ncols=3)
    save(figure, folder / "gateways.svg")


def compression(report, folder):
    cases = [case for case in report["cases"] if case["content"] != "random"]
    groups = list(dict.fromkeys((case["content"], case["message_bytes"]) for case in cases))
    codecs = [codec for codec in dict.fromkeys(case["codec"] for case in cases) if "cold" not in codec and "level" not in codec]
    by_codec = {codec: [next(case for case in cases if (case["content"], case["message_bytes"], case["codec"])
                             == (*group, codec)) for group in groups] for codec in codecs}
    labels = [f"{content.replace('_', ' ')}, {size / 1024:g} KB" for content, size in groups]
    figure, panels = plt.subplots(1, 2, figsize=(WIDTH, HEIGHT))
    bars(panels[0], labels, [(codec, [case["ratio"] for case in some], None, None)
                             for codec, some in by_codec.items() if codec != "gzip, streams"])
    panels[0].set_ylabel("ratio\n(higher is better)")
    panels[0].set_ylim(0, 14)
    bars(panels[1], labels, [series(codec, some, "time_ratio") for codec, some in by_codec.items() if codec != "gzip"])
    line(panels[1], 1, "gzip", "-")
    panels[1].set_ylabel("processor time, both ends / gzip\n(lower is better)")
    panels[1].set_title("whiskers: least and most of the rounds", fontsize=8)
    panels[1].set_ylim(0, 1.4)
    for axes in panels:
        axes.tick_params(axis="x", labelsize=6, rotation=90)
        axes.legend(frameon=False, fontsize=7, ncols=3, loc="upper left")
    save(figure, folder / "compression.svg")


def splice(page, name, text):
    """Replaces the text between two marks."""
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    if begin not in page or end not in page:
        raise ValueError(f"no {begin.strip()} and {end} in the page")
    head, rest = page.split(begin, 1)
    tail = rest.split(end, 1)[1]
    return f"{head}{begin}\n{text.strip()}\n\n{end}{tail}"


def table(columns, rows):
    lines = ["|" + "---|" * len(columns), *("| " + " | ".join(str(cell) for cell in row) + " |" for row in rows)]
    return "\n".join(["| " + " | ".join(columns) + " |", *lines])


def targets(reports):
    """All targets whose fields the published runs have."""
    rows = []
    for name, what, bound, fields in TARGETS:
        report = reports.get(name, {})
        values = [measured(report, field) for field, _ in fields]
        if None in values:
            continue
        limits = [report[target] if isinstance(target, str) else target for _, target in fields]
        shown = [number(value) if (value <= limit if bound == "most" else value >= limit) else f"**{number(value)}**"
                 for value, limit in zip(values, limits)]
        asked = dict.fromkeys(map(number, limits)) if len(set(limits)) == 1 else map(number, limits)
        rows.append((name, what.format(cases=sum("callers" in case for case in report["cases"])),
                     f"{'≤' if bound == 'most' else '≥'} {'; '.join(asked)}", "; ".join(shown)))
    return table(["benchmark", "what", "to reach", "measured"], rows)


def measured(report, field):
    """A field of a report, the difference of two, or the least or most of one over the cases with these values, as
    "most p50_ratio of protocol=triple callers=64"."""
    words = field.split()
    if len(words) == 1:
        return report.get(field)
    if words[1] == "-":
        return report[words[0]] - report[words[2]] if words[0] in report else None
    wanted = [re.fullmatch(r"(\w+)(!?=)(.+)", word).groups() for word in words[3:]]
    values = [case[words[1]] for case in report.get("cases", []) if words[1] in case
              and all((str(case[key]) == value) == (sign == "=") for key, sign, value in wanted)]
    return {"most": max, "least": min}[words[0]](values) if values else None


def number(value):
    return f"{value:.3g}" if isinstance(value, float) and value < 1000 else f"{value:.0f}"


def runs(reports):
    return table(["command of `run.sh`", "date", "processor", "load before"],
                 [(f"[{' '.join(words(report))}](benchmarks/{name}.json)", report["date"], report.get("cpu", ""),
                   f"{report['load_before']:.1f}") for name, report in reports.items()])


def words(report):
    return report["command"].split()[1:]


def decision_table(reports):
    cases = {case["scenario"]: case for case in reports["decision"]["cases"]}
    return table(["call", "ns more", "least to most", "bytes more"],
                 [(what, f"{case['extra_ns']:.0f}", f"{case['extra_ns_least']:.0f} to {case['extra_ns_most']:.0f}",
                   f"{case['extra_bytes']:.0f}") for what, case in ((HOME_CALLS[key], cases[key]) for key in HOME_CALLS)])


def tunnel_table(reports):
    report = reports["tunnel"]
    cases = {(case["gateway"], case["protocol"], case["body_bytes"], case["callers"]): case
             for case in report["cases"] if "callers" in case}
    ways = list(dict.fromkeys(case[0] for case in cases))
    columns = (("p50", "p50_ratio"), ("processor", "processor_ratio"))  # calls/s are in a plot
    return f"Each side has {report['connections']} connections, one after another.\n\n" + table(
        ["protocol", "body", "callers", *(f"{what}: {way}" for what, _ in columns for way in ways)],
        [(group[0].capitalize(), kilobytes(group[1]), group[2],
          *(f"{cases[way, *group][key]:.2f}" for _, key in columns for way in ways))
         for group in dict.fromkeys(case[1:] for case in cases)])


def cost_table(reports):
    """What the page for users says of all benchmarks."""
    homes = [case for case in reports["decision"]["cases"] if case["scenario"] in list(HOME_CALLS)[1:8]]
    home, link, scale, legacy = (reports[name] for name in ("decision", "thin-link", "scale", "legacy"))

    def routed(field, form="{:.2f}"):
        parts = []
        for protocol in ("dubbo", "triple"):
            ends = [form.format(measured(reports["tunnel"], f"{end} {field} of protocol={protocol}")) for end in ("least", "most")]
            parts.append(f"{protocol.capitalize()} {' to '.join(dict.fromkeys(ends))}")
        return "; ".join(parts)

    def ends(field):
        return f"{min(case[field] for case in homes):.0f} to {max(case[field] for case in homes):.0f}"

    return table(["what", "cost or gain"], [
        ("home call that names no island", f"{home['home_extra_ns']:.0f} ns, {home['home_bytes']:.0f} bytes allocated"),
        ("home call that names one", f"{ends('extra_ns')} ns, {ends('extra_bytes')} bytes"),
        ("routed call, relative to a plain Dubbo reference to the same address: p50", routed("p50_ratio")),
        ("calls per second", routed("throughput_ratio")),
        ("processor time of the caller", routed("processor_ratio")),
        ("bytes on the wire, more per call", routed("extra_bytes", "{:.0f}")),
        ("full link of 30 or 50 Mbit/s, goodput relative to plain Dubbo without gateways",
         f"{min(link['goodput_ratio_2k'], link['goodput_ratio_80k']):.3f} or more; one caller alone: "
         f"{measured(link, 'least goodput_ratio of callers=1'):.2f} or more"),
        ("[traffic classes](../guides/traffic-classes.md): p99 of small calls next to large ones over 30 Mbit/s",
         f"{link['classes_p99_ms']:.0f} ms instead of {link['no_classes_p99_ms']:.0f}"),
        ("500 services and 30 islands: connections per gateway address and protocol", f"{scale['connections_per_gateway']}"),
        ("start-up; with all gateways down",
         f"{100 * (scale['startup_ratio'] - 1):.0f} % longer; {100 * (scale['startup_ratio_gateway_down'] - 1):.0f} %"),
        ("heap", f"{scale['heap_bytes_per_service'] / 1024:.0f} KB per service, {scale['heap_bytes_per_island'] / 1024:.0f} per island"),
        ("version 1 of this system, 2 KB: round trip; bytes",
         f"Dubbo {legacy['rt_ratio_dubbo_2k']:.2f}, Triple {legacy['rt_ratio_triple_2k']:.2f} of it; "
         f"{legacy['payload_ratio_2k']:.1f} times fewer")])


def gateways_table(reports):
    losses = {(case["way"], case["protocol"], case["body_bytes"]): case["loss_percent"] for case in reports["gateways"]["cases"]}
    columns = [(protocol, size) for protocol in ("dubbo", "triple", "http") for size in (2048, 81920)]
    names = {"dubbo": "Dubbo", "triple": "Triple", "http": "HTTP"}

    def loss(*case):
        return f"{round(losses[case]) or 0} %" if case in losses else ""

    ways = [way for way in dict.fromkeys(way for way, _, _ in losses) if way != "direct"]
    return table(["", *(f"{names[protocol]}, {kilobytes(size)}" for protocol, size in columns), "published"],
                 [(way, *(loss(way, *column) for column in columns), PUBLISHED.get(re.sub(r" \d[\d.]*$", "", way), ""))
                  for way in ways])


def gains_table(reports):
    """Of requests of 2 KB over the link."""
    thin = [case for case in reports[FAMILIES]["cases"] if "family" in case]
    columns = [(rate, way) for rate in sorted({case["rate_mbit"] for case in thin}) for way in ("zstd", "zstd, dictionary")]
    gains = {(case["content"], case["rate_mbit"], case["way"]): case["gain"] for case in thin}
    return table(["messages", *(f"{rate} Mbit/s: {way}" for rate, way in columns)],
                 [(title, *(f"{gains[title, rate, f'triple tunnel, {way}']:.2f}" for rate, way in columns))
                  for title in dict.fromkeys(case["content"] for case in thin)])


def scale_table(reports):
    scale, held = reports["scale"], {case["protocol"]: case for case in reports["memory"]["cases"]}
    plain = next(case for case in scale["cases"] if case["kind"] == "plain" and case["services"] == scale["services"])

    def more(field):
        return f"{scale[field] / 1024:.1f} more"

    return table(["", "plain Dubbo", "with the SDK"], [
        ("connections per gateway address and protocol", "", scale["connections_per_gateway"]),
        ("threads", scale["threads_plain"], scale["threads_sdk"]),
        ("heap per service, KB", f"{scale['heap_bytes_per_service_plain'] / 1024:.1f}", more("heap_bytes_per_service")),
        ("heap per island, KB", "", more("heap_bytes_per_island")),
        ("start-up of the first reference, ms", *(f"{scale[f'startup_first_reference_ms_{side}']:.0f}" for side in ("plain", "sdk"))),
        ("first call of the process to an island, ms", "", f"{scale['first_call_ms']:.1f}"),
        ("first call of another service (SDK: to an island), ms", *(f"{side['first_call_ms_other_services']:.1f}" for side in (plain, scale))),
        *((f"memory of a 1 MB request in flight, {protocol}, KB", f"{held[key]['plain_kb']:.0f}",
           f"{held[key]['sdk_kb']:.0f}") for key, protocol in (("dubbo", "Dubbo"), ("tri", "Triple")))])


TABLES = {
    "cost": cost_table, "targets": targets, "decision": decision_table, "tunnel": tunnel_table, "gains": gains_table,
    "scale": scale_table, "gateways": gateways_table, "runs": runs,
}


def write_tables(docs, reports):
    """Between the marks, on whatever page these are."""
    tables = {name: write(reports) for name, write in TABLES.items() if FAMILIES in reports or name != "gains"}
    found = set()
    for page in sorted(docs.rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        marks = [name for name in tables if f"<!-- {name} -->\n" in text]
        for name in marks:
            written = tables[name]
            if page.parent.name == "zh":
                for english, chinese in CHINESE.items():
                    written = written.replace(english, chinese)
            text = splice(text, name, written)
        if marks:
            page.write_text(text, encoding="utf-8")
        found.update(marks)
    if found != set(tables):
        raise ValueError(f"no page has the marks of {', '.join(sorted(set(tables) - found))}")


def main(target, docs):
    folder = docs / "maintain" / "benchmarks"
    for name in NAMES:
        numbers = target / f"{name}.json"
        if not numbers.exists():
            print(f"{name}: not run")
            continue
        report = json.loads(numbers.read_text(encoding="utf-8"))
        command = " ".join(words(report))
        part = command.replace(" --only ", "-")
        if command in RUNS or part in PARTS:
            name = RUNS.get(command, part)
        elif command != name:
            print(f"{name}: left out, since it was not the whole of it: {report['command']}")
            continue
        if report["busy"]:
            print(f"{name}: left out, since the machine was busy before: load {report['load_before']:.1f}")
            continue
        shutil.copy(numbers, folder / f"{name}.json")
        for part in (part for part, field in PARTS.items() if name == "thin-link" and field in report):
            shutil.copy(numbers, folder / f"{part}.json")
        print(f"{name}: in docs/maintain/benchmarks/{name}.json")
    reports = {name: json.loads((folder / f"{name}.json").read_text(encoding="utf-8")) for name in [*NAMES, *PARTS, HTTP]
               if name not in (FAMILIES, HTTP) or (folder / f"{name}.json").exists()}
    if HTTP in reports:
        cases = reports["gateways"]["cases"]
        measured_ways = {case["way"] for case in cases}
        cases += [case for case in reports[HTTP]["cases"] if case["way"] not in measured_ways]
    for name, draw in {"tunnel": tunnel, "legacy": legacy, "thin-link": thin_link, LONG: thin_link_long, "gateways": gateways,
                       "compression": compression}.items():
        draw(reports[name], folder)
    write_tables(docs, reports)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
