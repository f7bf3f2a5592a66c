# SPDX-License-Identifier: Apache-2.0
"""Writes what benchmarks have measured into the docs: the targets into docs/benchmarks.md; tables, numbers for programs and
plots into docs/benchmarks/. The plots are shown by both.

Usage: page.py <folder with *.json and *.md> <docs folder>; benchmarks that were not run as a whole stay as they are.
"""
import json
import pathlib
import re
import shutil
import statistics
import sys
import textwrap

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
    "idle link": "#7a7a7a", "full link": "#ff7f0e", "gzip": "#7a7a7a", "gzip, streams": "#ff7f0e", "zstd": "#2ca02c", "zstd, dictionary": "#1f77b4",
    "plain Dubbo": "#7a7a7a", "plain Triple": "#bcbd22",
    "1 caller": "#1f77b4", "64 callers": "#ff7f0e", "30 Mbit/s": "#1f77b4", "50 Mbit/s": "#ff7f0e",
}
OTHER = "#7a7a7a"
TARGET = "#d62728"
NAMES = ["decision", "tunnel", "legacy", "thin-link", "scale", "gateways", "compression", "memory"]
LONG = "thin-link-long"  # the part long, if it was run alone: has marks of its own in the page of thin-link
WIDTH, HEIGHT = 9, 3.4
COLUMNS = 118  # of a line of prose

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
     "calls per second, orders of 2 KB over 10 Mbit/s, zstd / none, the better of with and without a dictionary"),
    ("thin-link", "zstd_gain_80k", "least", 5, "the same with 80 KB"),
    ("thin-link", "zstd_gain_download_2k", "least", 3.5, "the same with answers of 2 KB"),
    ("thin-link", "zstd_gain_download_80k", "least", 5, "the same with answers of 80 KB"),
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
PLOTS = {
    "tunnel": [("tunnel-latency", "p50 of a call, SDK relative to a plain reference, by gateway, protocol, body and callers"),
               ("tunnel-throughput", "calls per second, SDK relative to a plain reference, in the same cases")],
    "legacy": [("legacy", "round trips and calls per second relative to version 1, by size of the order")],
    "thin-link": [("thin-link", "goodput relative to plain Dubbo by callers, and the gain of gzip"),
                  ("thin-link-compression", "gain of gzip and zstd, without and with a dictionary, for uploads and downloads"),
                  ("thin-link-classes", "p99 of small calls beside large ones, without and with traffic classes")],
    LONG: [("thin-link-long", "goodput over round trips of 20, 60 and 120 ms, as a part of the link")],
    "gateways": [("gateways", "calls per second through each gateway relative to direct calls")],
    "compression": [("compression", "ratio and processor time of gzip and zstd, without and with a dictionary, by content and size")],
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
    cases = [case for case in report["cases"] if "direction" in case and not case["content"].startswith("random")]
    rate = min(case["rate_mbit"] for case in cases)
    groups = list(dict.fromkeys((case["content"], case["body_bytes"]) for case in cases))
    ways = [way for way in dict.fromkeys(case["way"] for case in cases) if way != "triple tunnel"]
    figure, panels = plt.subplots(1, 2, figsize=(WIDTH, HEIGHT), sharey=True)
    for axes, direction in zip(panels, ("upload", "download")):
        by_group = {(case["content"], case["body_bytes"], case["way"]): case for case in cases
                    if (case["direction"], case["rate_mbit"]) == (direction, rate)}
        bars(axes, [f"{content.replace('orders as ', '')}\n{kilobytes(size)}" for content, size in groups],
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
    codecs = [codec for codec in dict.fromkeys(case["codec"] for case in cases) if not codec.endswith("cold")]
    by_codec = {codec: [next(case for case in cases if (case["content"], case["message_bytes"], case["codec"])
                             == (*group, codec)) for group in groups] for codec in codecs}
    labels = [f"{content}\n{size} B" if size < 1024 else f"{content}\n{kilobytes(size)}" for content, size in groups]
    figure, panels = plt.subplots(1, 2, figsize=(WIDTH, HEIGHT))
    bars(panels[0], labels, [(codec, [case["ratio"] for case in some], None, None)
                             for codec, some in by_codec.items() if codec != "gzip, streams"])
    panels[0].set_ylabel("ratio\n(higher is better)")
    panels[0].set_ylim(0, 8)
    bars(panels[1], labels, [series(codec, some, "time_ratio") for codec, some in by_codec.items() if codec != "gzip"])
    line(panels[1], 1, "gzip", "-")
    panels[1].set_ylabel("processor time, both ends / gzip\n(lower is better)")
    panels[1].set_title("whiskers: least and most of the rounds", fontsize=8)
    panels[1].set_ylim(0, 1.4)
    for axes in panels:
        axes.tick_params(axis="x", labelsize=6)
        axes.legend(frameon=False, fontsize=7, ncols=3, loc="upper left")
    save(figure, folder / "compression.svg")


def wrapped(printed):
    """The same with its prose in short lines: benchmarks print a paragraph as one line. Tables and headings stay."""
    paragraph, lines = [], []
    for line in [*printed.splitlines(), ""]:
        if line and line[0] not in "|*!":
            paragraph.append(line)
            continue
        lines += textwrap.wrap(" ".join(paragraph), COLUMNS, break_long_words=False, break_on_hyphens=False)
        paragraph = []
        lines.append(line)
    return "\n".join(lines)


def plots(name):
    return "\n\n".join(f"![{what}]({plot}.svg)" for plot, what in PLOTS.get(name, []))


def splice(page, name, text):
    """Replaces the text between the two marks of a benchmark."""
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    if begin not in page or end not in page:
        raise ValueError(f"no {begin.strip()} and {end} in the page")
    head, rest = page.split(begin, 1)
    tail = rest.split(end, 1)[1]
    return f"{head}{begin}\n{text.strip()}\n\n{end}{tail}"


def splice_into(file, name, text):
    file.write_text(splice(file.read_text(encoding="utf-8"), name, text), encoding="utf-8")


def targets(folder):
    """The table of all targets whose benchmark has been run."""
    lines = ["| benchmark | what | to reach | measured | |", "|---|---|---|---|---|"]
    for name, field, bound, target, what in TARGETS:
        file = folder / f"{name}.json"
        report = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        value = measured(report, field)
        if value is not None:
            limit = report[target] if isinstance(target, str) else target
            reached = value <= limit if bound == "most" else value >= limit
            lines.append(f"| {name} | {what} (`{field}`) | at {bound} {number(limit)} | {number(value)} |"
                         f" {'reached' if reached else '**missed**'} |")
    return "\n".join(lines)


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


def main(target, docs):
    folder = docs / "benchmarks"
    folder.mkdir(exist_ok=True)
    drawers = {"tunnel": tunnel, "legacy": legacy, "thin-link": thin_link, LONG: thin_link_long, "gateways": gateways,
               "compression": compression}
    for name in NAMES:
        numbers, tables = target / f"{name}.json", target / f"{name}.md"
        if not numbers.exists() or not tables.exists():
            print(f"{name}: not run")
            continue
        report = json.loads(numbers.read_text(encoding="utf-8"))
        page = "scale" if name == "memory" else name
        if report["command"].split()[1:] == ["thin-link", "--only", "long"]:
            name = LONG
        elif report["command"].split()[1:] != [name]:
            print(f"{name}: left out, since it was not the whole of it: {report['command']}")
            continue
        if report["busy"]:
            print(f"{name}: left out, since the machine was busy before: load {report['load_before']:.1f}")
            continue
        shutil.copy(numbers, folder / f"{name}.json")
        printed = tables.read_text(encoding="utf-8")
        splice_into(folder / f"{page}.md", name, wrapped(printed) + "\n\n" + plots(name))
        if name == "thin-link" and "long_goodput_80k_60ms" in report:
            shutil.copy(numbers, folder / f"{LONG}.json")
            splice_into(folder / f"{page}.md", LONG, "The tables are among those above.\n\n" + plots(LONG))
        print(f"{name}: in docs/benchmarks/{page}.md")
    for name, draw in drawers.items():
        if (folder / f"{name}.json").exists():
            draw(json.loads((folder / f"{name}.json").read_text(encoding="utf-8")), folder)
    splice_into(docs / "benchmarks.md", "targets", targets(folder))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
