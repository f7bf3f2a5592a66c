# SPDX-License-Identifier: Apache-2.0
"""Writes what benchmarks have measured into the docs: the targets into docs/benchmarks.md; tables, numbers for programs and
plots into docs/benchmarks/. The plots are shown by both.

Usage: page.py <folder with *.json and *.md> <docs folder>; benchmarks that were not run as a whole stay as they are.
"""
import json
import pathlib
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
COLOURS = ["#7a7a7a", "#1f77b4", "#2ca02c", "#d62728", "#9467bd", "#ff7f0e", "#17becf"]
NAMES = ["decision", "tunnel", "legacy", "thin-link", "scale", "gateways"]
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
    ("scale", "connections_per_gateway", "most", "connections_1_service",
     "connections per gateway address, 500 services and 30 islands beside one of each"),
    ("scale", "startup_ratio", "most", 1.1, "start-up with 500 references, SDK / without"),
    ("scale", "startup_ratio_gateway_down", "most", 1, "the same while no gateway is there"),
]
PLOTS = {
    "tunnel": [("tunnel-latency", "p50 by gateway, protocol, payload and callers"),
               ("tunnel-throughput", "calls per second by gateway, protocol, payload and callers")],
    "legacy": [("legacy", "round trips and calls per second of version 1 and of the tunnels")],
    "thin-link": [("thin-link", "goodput on the thin link beside its rate")],
    "gateways": [("gateways", "calls per second through each gateway")],
}


def kilobytes(size):
    return f"{round(size / 1024)} KB" if size else "mixed"


def save(figure, file):
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None})
    plt.close(figure)


def bars(axes, labels, series, log=False):
    """Grouped bars: series is a list of (name, medians, leasts, mosts)."""
    width = 0.8 / len(series)
    for index, (name, medians, leasts, mosts) in enumerate(series):
        places = [i + (index - (len(series) - 1) / 2) * width for i in range(len(labels))]
        errors = [[m - l for m, l in zip(medians, leasts)], [h - m for m, h in zip(medians, mosts)]]
        axes.bar(places, medians, width, yerr=errors, label=name, color=COLOURS[index % len(COLOURS)],
                 error_kw={"elinewidth": 0.8, "ecolor": "#333333"})
    axes.set_xticks(range(len(labels)), labels)
    if log:
        axes.set_yscale("log")


def spread(case, key):
    return case[key], case[key + "_least"], case[key + "_most"]


def series(name, cases, key):
    return (name, *map(list, zip(*(spread(case, key) for case in cases))))


def tunnel(report, folder):
    cases = [case for case in report["cases"] if "callers" in case]
    for key, title, file in (("p50_ms", "p50 in ms", "tunnel-latency.svg"),
                             ("calls_per_second", "calls per second", "tunnel-throughput.svg")):
        figure, rows = plt.subplots(2, 1, figsize=(WIDTH, 2 * HEIGHT))
        for axes, callers in zip(rows, (1, 64)):
            some = [case for case in cases if case["callers"] == callers]
            labels = [f"{case['gateway'].split()[0]}\n{case['protocol']}, {kilobytes(case['body_bytes'])}" for case in some]
            bars(axes, labels, [series("plain reference", some, "plain_" + key), series("SDK", some, "sdk_" + key)])
            axes.tick_params(axis="x", labelsize=7)
            axes.set_title(f"{title}, {callers} caller{'s' if callers > 1 else ''}")
        rows[0].legend(frameon=False, loc="upper left")
        save(figure, folder / file)


def legacy(report, folder):
    ways = list(dict.fromkeys(case["way"] for case in report["cases"]))
    sizes = list(dict.fromkeys(kilobytes(case["order_json_bytes"]) for case in report["cases"]))
    figure, panels = plt.subplots(1, 2, figsize=(WIDTH, HEIGHT))
    for axes, key, title in ((panels[0], "p50_ms", "p50 of a round trip in ms, one caller"),
                             (panels[1], "calls_per_second", "calls per second, 32 callers")):
        found = [series(way, [case for case in report["cases"] if case["way"] == way], key) for way in ways]
        bars(axes, sizes, found, log=True)
        axes.set_title(title)
    panels[0].legend(frameon=False, loc="upper left")
    save(figure, folder / "legacy.svg")


def thin_link(report, folder):
    rate = min(case["rate_mbit"] for case in report["cases"])
    thinnest = [case for case in report["cases"] if case["rate_mbit"] == rate]
    sizes = sorted({case["body_bytes"] for case in thinnest})
    most = max(case["callers"] for case in thinnest)
    figure, panels = plt.subplots(1, len(sizes) + 1, figsize=(WIDTH, HEIGHT))
    for axes, size in zip(panels, sizes):
        some = [case for case in thinnest if case["body_bytes"] == size and case["content"] == "random"]
        for way in dict.fromkeys(case["way"] for case in some):
            line = sorted((case for case in some if case["way"] == way), key=lambda case: case["callers"])
            if len(line) > 1:
                axes.plot([case["callers"] for case in line], [case["goodput_mbit"] for case in line], marker="o",
                          markersize=3, linewidth=1.2, label=way)
        axes.axhline(rate, color="#333333", linewidth=0.8, linestyle=":")
        axes.annotate(f"the link: {rate} Mbit/s", (1, rate), textcoords="offset points", xytext=(2, 3), fontsize=7)
        axes.set_xscale("log", base=2)
        axes.set_ylim(0, rate * 1.15)
        axes.set_xticks(callers := sorted({case["callers"] for case in some}), callers)
        axes.set_xlabel("callers")
        axes.set_title(f"Mbit/s of random bodies, {kilobytes(size)}")
    panels[0].legend(frameon=False, fontsize=7, loc="lower right")
    text = [case for case in thinnest if case["content"] == "json" and case["callers"] == most]
    ways = list(dict.fromkeys(case["way"] for case in text))
    axes = panels[-1]
    bars(axes, [kilobytes(size) for size in sizes],
         [series(way, [case for case in text if case["way"] == way], "goodput_mbit") for way in ways])
    axes.axhline(rate, color="#333333", linewidth=0.8, linestyle=":")
    axes.set_title(f"Mbit/s of JSON, {most} callers")
    axes.legend(frameon=False, fontsize=7, loc="upper left")
    save(figure, folder / "thin-link.svg")


def gateways(report, folder):
    ways = list(dict.fromkeys(case["way"] for case in report["cases"]))
    groups = list(dict.fromkeys((case["protocol"], case["body_bytes"]) for case in report["cases"]))
    figure, axes = plt.subplots(figsize=(WIDTH, HEIGHT))
    missing = {"calls_per_second": 0, "calls_per_second_least": 0, "calls_per_second_most": 0}
    found = []
    for way in ways:
        by_group = {(case["protocol"], case["body_bytes"]): case for case in report["cases"] if case["way"] == way}
        found.append(series(way, [by_group.get(group, missing) for group in groups], "calls_per_second"))
    bars(axes, [f"{protocol}, {kilobytes(size)}" for protocol, size in groups], found)
    axes.set_title("calls per second, 32 callers")
    axes.legend(frameon=False, fontsize=7)
    save(figure, folder / "gateways.svg")


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
    """A field of a report, or what its cases say: "median <field>", "least <field> of <number> callers"."""
    words = field.split()
    if len(words) == 1:
        return report.get(field)
    callers = int(words[3]) if len(words) > 2 else None
    values = [case[words[1]] for case in report.get("cases", [])
              if words[1] in case and callers in (None, case["callers"])]
    return {"median": statistics.median, "least": min}[words[0]](values) if values else None


def number(value):
    return f"{value:.5g}" if isinstance(value, float) and value < 1000 else f"{value:.0f}"


def main(target, docs):
    folder = docs / "benchmarks"
    folder.mkdir(exist_ok=True)
    drawers = {"tunnel": tunnel, "legacy": legacy, "thin-link": thin_link, "gateways": gateways}
    for name in NAMES:
        numbers, tables = target / f"{name}.json", target / f"{name}.md"
        if not numbers.exists() or not tables.exists():
            print(f"{name}: not run")
            continue
        report = json.loads(numbers.read_text(encoding="utf-8"))
        if report["command"].split()[1:] != [name]:
            print(f"{name}: left out, since it was not the whole of it: {report['command']}")
            continue
        shutil.copy(numbers, folder / numbers.name)
        printed = tables.read_text(encoding="utf-8")
        plots = "\n\n".join(f"![{what}]({plot}.svg)" for plot, what in PLOTS.get(name, []))
        splice_into(folder / f"{name}.md", name, wrapped(printed) + "\n\n" + plots)
        if name in drawers:
            drawers[name](report, folder)
        print(f"{name}: in docs/benchmarks/{name}.md")
    splice_into(docs / "benchmarks.md", "targets", targets(folder))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
