# SPDX-License-Identifier: Apache-2.0
"""Publishes what benchmarks have measured: numbers and plots into docs/maintain/benchmarks/, and from these numbers the tables in
docs/maintain/benchmarks.md.

Usage: page.py <folder with *.json> <docs folder>; the numbers of benchmarks that were not run as a whole stay as they are.
"""
import json
import pathlib
import re
import shutil
import statistics
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

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
    "figure.facecolor": "white",
})
COLOURS = {
    "direct": "#7a7a7a",
    "dubbo": "#1f77b4", "dubbo tunnel": "#1f77b4", "triple": "#2ca02c", "triple tunnel": "#2ca02c",
    "Envoy": "#9467bd", "nginx": "#17becf", "HAProxy": "#8c564b", "Spring Cloud Gateway": "#e377c2",
    "reference gateway": "#bcbd22",
    "idle link": "#7a7a7a", "full link": "#ff7f0e", "gzip": "#7a7a7a", "gzip, streams": "#ff7f0e", "zstd": "#2ca02c", "zstd, dictionary": "#1f77b4", "zstd, shared dictionary": "#9467bd",
    "plain Dubbo": "#7a7a7a", "plain Triple": "#bcbd22",
    "1 caller": "#1f77b4", "64 callers": "#ff7f0e", "30 Mbit/s": "#1f77b4", "50 Mbit/s": "#ff7f0e",
}
OTHER = "#7a7a7a"
TARGET = "#d62728"
NAMES = ["decision", "tunnel", "legacy", "thin-link", "scale", "gateways", "compression", "memory"]
LONG, FAMILIES = "thin-link-long", "thin-link-families"  # these parts have numbers of their own
PARTS = {LONG: "long_goodput_80k_60ms", FAMILIES: "family_worst"}
WIDTH, HEIGHT = 9, 3.4

# What each benchmark is to reach: a field, or the median of one over all cases; whether it must be at most or at least this, a
# number or another field; and what it says.
TARGETS = [
    ("decision", "home_bytes", "most", 0, "bytes allocated by a home call, beyond those without the SDK"),
    ("decision", "home_extra_ns", "most", 100, "nanoseconds of a home call, beyond those without the SDK"),
    ("decision", "home_extra_ns", "most", "tag_router_ns", "the same beside what Dubbo's tag router costs"),
    ("tunnel", "p50_ratio", "most", 1.03, "p50 through a gateway, SDK / plain reference, worst of 16 cases"),
    ("tunnel", "median p50_ratio", "most", 1.03, "the same, median of the cases"),
    ("tunnel", "throughput_ratio", "least", 0.95, "calls per second through a gateway, SDK / plain reference, worst of 16 cases"),
    ("tunnel", "median throughput_ratio", "least", 0.95, "the same, median of the cases"),
    ("tunnel", "extra_bytes", "most", 64, "more bytes per call on the wire"),
    ("legacy", "rt_ratio_dubbo_2k", "most", 0.5, "round trip with 2 KB, dubbo tunnel / version 1"),
    ("thin-link", "goodput_ratio_2k", "least", 0.97, "goodput with 2 KB, 64 callers, tunnels / plain point-to-point Dubbo"),
    ("thin-link", "goodput_ratio_80k", "least", 0.97, "goodput with 80 KB, 64 callers, tunnels / plain point-to-point Dubbo"),
    ("thin-link", "least goodput_ratio of 8 callers", "least", 0.97, "the same with 8 callers, both sizes"),
    ("thin-link", "least goodput_ratio of 1 caller", "least", 0.97, "the same with one caller, both sizes"),
    ("thin-link", "gzip_gain", "least", 3, "goodput of JSON-like text by triple, with gzip / without, worst size"),
    ("thin-link", "gzip_gain_80k", "least", 3, "the same with 80 KB"),
    ("thin-link", "calls_2k_30mbit", "least", 1450, "calls per second with 2 KB over 30 Mbit/s"),
    ("thin-link", "zstd_gain_2k", "least", 3.5,
     "calls per second, generated orders of 2 KB (upper end) over 10 Mbit/s, zstd / none, the better of with and without a dictionary"),
    ("thin-link", "zstd_gain_80k", "least", 5, "the same with 80 KB"),
    ("thin-link", "zstd_gain_download_2k", "least", 3.5, "the same with answers of 2 KB"),
    ("thin-link", "zstd_gain_download_80k", "least", 5, "the same with answers of 80 KB"),
    # Seven tenths of the bytes of a message / its bytes of information.
    *((FAMILIES, f"family_gain_10mbit_{family}", "least", least,
       f"calls per second, {title} of 2 KB over 10 Mbit/s, zstd with a dictionary of other content / none")
      for family, title, least in (("orders_text", "shop orders in JSON", 2), ("orders_objects", "shop orders as objects", 1.6),
                                   ("tenders", "tenders", 3), ("documents", "documents", 1.25), ("sensors", "sensor rows", 10))),
    ("thin-link", "zstd_processor_ratio_2k", "most", 1, "processor time per call with 2 KB, zstd / gzip"),
    ("thin-link", "dictionary_processor_ratio_2k", "most", 1, "the same with a dictionary"),
    ("thin-link", "zstd_processor_ratio_80k", "most", 1, "processor time per call with 80 KB, zstd / gzip"),
    ("thin-link", "dictionary_processor_ratio_80k", "most", 1, "the same with a dictionary"),
    ("thin-link", "zstd_incompressible", "least", 0.99, "calls per second with random bytes, zstd / none, worst size"),
    ("thin-link", "dictionary_incompressible", "least", 0.99, "the same with a dictionary"),
    ("thin-link", "zstd_incompressible_download", "least", 0.99, "calls per second with random answers, zstd / none, worst size"),
    ("thin-link", "dictionary_incompressible_download", "least", 0.99, "the same with a dictionary"),
    ("thin-link", "classes_goodput_ratio", "least", 0.97,
     "goodput of bulk and interactive calls, with classes / bulk alone without, worse tunnel"),
    ("thin-link", "classes_p99_ms_dubbo - classes_idle_p99_ms_dubbo", "most", 46,
     "p99 of interactive calls beside bulk ones over 30 Mbit/s, beyond that on an idle link, ms, dubbo"),
    ("thin-link", "classes_p99_ms_triple - classes_idle_p99_ms_triple", "most", 46, "the same, triple"),
    (LONG, "long_goodput_80k_60ms", "least", 0.95,
     "goodput over 30 Mbit/s and round trips of 60 ms, 8 callers with 80 KB, part of the link, worse tunnel"),
    (LONG, "long_goodput_download_80k_60ms", "least", 0.95, "the same with answers of 80 KB"),
    ("compression", "zstd_time_ratio", "most", 1, "processor time of a message, zstd / gzip, worst content and size"),
    ("compression", "dictionary_time_ratio", "most", 1, "the same with a dictionary"),
    ("scale", "connections_per_gateway", "most", "connections_1_service",
     "connections per gateway address, 500 services and 30 islands beside one of each"),
    ("scale", "startup_ratio", "most", 1.1, "start-up with 500 references, SDK / without"),
    ("scale", "startup_ratio_gateway_down", "most", 1, "the same while no gateway is there"),
]
HOME_CALLS = {
    "home": "no island asked for", "attachment": "attachment", "scope": "scope", "key": "`@IslandKey` argument",
    "method": "`@Island` on the method", "interface": "`@Island` on the interface", "reference": "reference parameter",
    "configuration": "`highway.services.*`", "tag_router": "Dubbo's tag router", "zone_aware": "Dubbo's zone-aware cluster",
}


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
                 error_kw={"elinewidth": 0.8, "ecolor": "#333333"})
    axes.set_xticks(range(len(labels)), labels)


def line(axes, value, name, style="--"):
    axes.axhline(value, color=TARGET if style == "--" else "#333333", linewidth=0.8, linestyle=style, label=name)


def series(name, cases, key):
    return name, *([case[key + end] for case in cases] for end in ("", "_least", "_most"))


def tunnel(report, folder):
    cases = [case for case in report["cases"] if "callers" in case]
    groups = list(dict.fromkeys((case["gateway"], case["protocol"], case["body_bytes"]) for case in cases))
    for key, target, what, whiskers, file in (
            ("p50_ratio", 1.03, "p50 of a call: SDK / plain reference\n(lower is better)",
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
    bars(axes, [f"{protocol}, {kilobytes(size)}" for protocol, size in groups], found)
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
    for name, field, bound, target, what in TARGETS:
        value = measured(reports.get(name, {}), field)
        if value is not None:
            limit = reports[name][target] if isinstance(target, str) else target
            reached = value <= limit if bound == "most" else value >= limit
            rows.append((name, f"{what} (`{field}`)", f"at {bound} {number(limit)}", number(value),
                         "reached" if reached else "**missed**"))
    return table(["benchmark", "what", "to reach", "measured", "result"], rows)


def measured(report, field):
    """A field of a report, the difference of two, or what its cases say: "median <field>", "least <field> of <number>
    callers"."""
    words = field.split()
    if len(words) == 1:
        return report.get(field)
    if words[1] == "-":
        return report[words[0]] - report[words[2]] if words[0] in report else None
    callers = int(words[3]) if len(words) > 2 else None
    values = [case[words[1]] for case in report.get("cases", [])
              if words[1] in case and callers in (None, case["callers"])]
    return {"median": statistics.median, "least": min}[words[0]](values) if values else None


def number(value):
    return f"{value:.5g}" if isinstance(value, float) and value < 1000 else f"{value:.0f}"


def runs(reports):
    return table(["benchmark", "date", "processor", "load before"],
                 [(f"[{name}](benchmarks/{name}.json)", report["date"], report.get("cpu", ""), f"{report['load_before']:.1f}")
                  for name, report in reports.items()])


def decision_table(reports):
    cases = {case["scenario"]: case for case in reports["decision"]["cases"]}
    return table(["call", "ns more", "least to most", "bytes more"],
                 [(what, f"{case['extra_ns']:.0f}", f"{case['extra_ns_least']:.0f} to {case['extra_ns_most']:.0f}",
                   f"{case['extra_bytes']:.0f}") for what, case in ((HOME_CALLS[key], cases[key]) for key in HOME_CALLS)])


def tunnel_table(reports):
    cases = {(case["gateway"], case["protocol"], case["body_bytes"], case["callers"]): case
             for case in reports["tunnel"]["cases"] if "callers" in case}
    ways = list(dict.fromkeys(case[0] for case in cases))
    return table(["protocol", "body", "callers", *(f"p50: {way}" for way in ways), *(f"calls/s: {way}" for way in ways)],
                 [(group[0].capitalize(), kilobytes(group[1]), group[2],
                   *(f"{cases[way, *group][key]:.3f}" for key in ("p50_ratio", "throughput_ratio") for way in ways))
                  for group in dict.fromkeys(case[1:] for case in cases)])


def legacy_table(reports):
    keys = [f"{key}_{tunnel}" for key in ("rt_ratio", "throughput_ratio") for tunnel in ("dubbo", "triple")]
    return table(["order as JSON", "round trip: dubbo", "triple", "calls/s: dubbo", "triple", "fewer bytes: dubbo", "triple"],
                 [(f"{size} KB", *(f"{reports['legacy'][f'{key}_{size}k']:.2f}"
                                   for key in (*keys, "payload_ratio", "payload_ratio_triple"))) for size in (2, 8, 80)])


def thin_link_table(reports):
    cases = {(case["content"], case["body_bytes"], case["direction"], case["way"]): case["gain"]
             for case in reports["thin-link"]["cases"] if "direction" in case and "orders as" in case["content"]
             and case["rate_mbit"] == reports["thin-link"]["zstd_rate_mbit"]}
    columns = [(direction, way) for direction in ("upload", "download") for way in ("gzip", "zstd", "zstd, dictionary")]
    return table(["content", "body", *(f"{direction}: {way}" for direction, way in columns)],
                 [(content, kilobytes(size), *(f"{cases[content, size, direction, f'triple tunnel, {way}']:.2f}"
                                               for direction, way in columns))
                  for content, size in dict.fromkeys(case[:2] for case in cases)])


def families_table(reports):
    """What one thread and the link measured of the same families; the link has requests of 2 KB."""
    thin = [case for case in reports[FAMILIES]["cases"] if "family" in case]
    columns = [(rate, way) for rate in sorted({case["rate_mbit"] for case in thin}) for way in ("zstd", "zstd, dictionary")]
    rows = []
    for family, title in dict.fromkeys((case["family"], case["content"]) for case in thin):
        codecs = {(case["message_bytes"] >> 10, case["codec"]): case for case in reports["compression"]["cases"]
                  if case["content"] == family}
        gains = {(case["rate_mbit"], case["way"]): case["gain"] for case in thin if case["family"] == family}
        rows.append((title, f"{codecs[2, 'zstd']['information']:.0f}",
                     *(f"{codecs[key]['ratio']:.2f}" for key in ((2, "gzip"), (2, "zstd"), (2, "zstd, dictionary"),
                                                                 (2, "zstd, shared dictionary"), (80, "zstd"), (80, "zstd, dictionary"))),
                     *(f"{gains[rate, f'triple tunnel, {way}']:.2f}" for rate, way in columns)))
    return table(["family", "information", "ratio, 2 KB: gzip", "zstd", "own dictionary", "shared dictionary", "80 KB: zstd",
                  "own dictionary", *(f"gain, {rate} Mbit/s: {way}" for rate, way in columns)], rows)


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


def main(target, docs):
    page, folder = docs / "maintain" / "benchmarks.md", docs / "maintain" / "benchmarks"
    for name in NAMES:
        numbers = target / f"{name}.json"
        if not numbers.exists():
            print(f"{name}: not run")
            continue
        report = json.loads(numbers.read_text(encoding="utf-8"))
        part = "-".join(report["command"].split()[1:]).replace("--only-", "")
        if part in PARTS:
            name = part
        elif report["command"].split()[1:] != [name]:
            print(f"{name}: left out, since it was not the whole of it: {report['command']}")
            continue
        if report["busy"]:
            print(f"{name}: left out, since the machine was busy before: load {report['load_before']:.1f}")
            continue
        shutil.copy(numbers, folder / f"{name}.json")
        for part in (part for part, field in PARTS.items() if name == "thin-link" and field in report):
            shutil.copy(numbers, folder / f"{part}.json")
        print(f"{name}: in docs/maintain/benchmarks/{name}.json")
    reports = {name: json.loads((folder / f"{name}.json").read_text(encoding="utf-8")) for name in [*NAMES, *PARTS]
               if name != FAMILIES or (folder / f"{name}.json").exists()}
    for name, draw in {"tunnel": tunnel, "legacy": legacy, "thin-link": thin_link, LONG: thin_link_long, "gateways": gateways,
                       "compression": compression}.items():
        draw(reports[name], folder)
    text = page.read_text(encoding="utf-8")
    for name, write in {"targets": targets, "decision": decision_table, "tunnel": tunnel_table, "legacy": legacy_table,
                        "thin-link": thin_link_table, **({"families": families_table} if FAMILIES in reports else {}), "scale": scale_table, "runs": runs}.items():
        text = splice(text, name, write(reports))
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
