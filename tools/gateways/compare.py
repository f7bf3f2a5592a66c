#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the gateway files of two folders, such as those of test and of production: islands, addresses, TLS files, and
the settings by which a gateway repeats calls, refuses them or ends them early.

Usage: tools/gateways/compare.py <folder A> <folder B>

Files of nginx, Envoy, HAProxy and APISIX with the same name are compared, also in subfolders, without nginx's includes.
What a file leaves out has the gateway's default. An upstream without TLS counts as a provider, from whose answers
highway-not-forwarded has to be removed. YAML needs PyYAML 6: python3-yaml of Debian, or PyYAML by pip.
Exit code: 0 nothing dangerous differs; 1 a dangerous setting differs, or is dangerous on either side; 2 usage error
"""
import hashlib
import re
import sys
import textwrap
from collections import namedtuple
from itertools import zip_longest
from pathlib import Path

AGAIN = "a call can be sent a second time, and run twice"
EARLY = "under an hour: the gateway can end a call before its caller does"
BODY = "a body can be refused that the SDK and the provider allow"
FRAMES = "8 MB or less: larger frames hang or fail"
HEADERS = "too little for the headers of a call, of which each attachment is one"
BELIEVED = "a service can claim that its call was not forwarded, and the caller sends it again"
OUT = "one failed call takes a server out for 10 s"
RELOAD = "a reload loses calls of the HTTP tunnel"

HTTP, STREAM = r"(?!\S*\bstream\b)\S*/", r"\S*\bstream\b\S*/"
# A line of a block (path of names, then text), and settings of that block: name, default, what is wrong, the largest number
# that is too low. A default with "?" counts only if the other side has another value: the short examples have it, too. Of
# HAProxy's retries and redispatch nothing is wrong: they are of connections, without retry-on. 127.0.0.1:1 is the upstream
# that a route of unknown islands has in APISIX and never uses.
RULES = [
    (STREAM + "proxy_pass .*", [("proxy_timeout", "10m", EARLY)])] + [(HTTP + f"{kind}_pass .*", [
        (f"{kind}_next_upstream", "error timeout", AGAIN), (f"{kind}_read_timeout", "60s", EARLY),
        (f"{kind}_send_timeout", "60s?", EARLY), ("client_max_body_size", "1m", BODY), ("mirror", "off", AGAIN),
        ("client_body_timeout", "60s?", EARLY), ("send_timeout", "60s?", EARLY)]) for kind in ("grpc", "proxy")] + [
    (r"static_resources/(listeners|clusters)/name .*", [("per_connection_buffer_limit_bytes", "1048576", FRAMES, 8 << 20)]),
    (r"\S*/@type .*\.HttpConnectionManager", [
        ("stream_idle_timeout", "300s", EARLY), ("request_timeout", "none", EARLY), ("max_request_headers_kb", "60", HEADERS, 32)]),
    (r"\S*/@type .*Http(Connection|Protocol).*", [("common_http_protocol_options/max_headers_count", "100", HEADERS, 100)]),
    (r"\S*/virtual_hosts/routes/route .*", [
        ("route/timeout", "15s", EARLY), ("route/idle_timeout", "none", EARLY),
        ("route/max_stream_duration/max_stream_duration", "none", EARLY), ("retry_policy/retry_on", "none", AGAIN),
        ("route/retry_policy/retry_on", "none", AGAIN), ("route/request_mirror_policies/cluster", "none", AGAIN)]),
    (r"global/.*", [("tune.bufsize", "16384", HEADERS, 98303), ("tune.http.maxhdr", "101", HEADERS, 101)]),
    (r"(defaults/)?(frontend|listen)/bind .*", [
        ("timeout client", "none", EARLY), ("option idle-close-on-response", "off?", RELOAD)]),
    (r"(defaults/)?(backend|listen)/server .*", [
        ("retries", "3", ""), ("retry-on", "conn-failure", AGAIN), ("option redispatch", "off", ""),
        ("timeout server", "none", EARLY), ("timeout tunnel", "none", EARLY)]),
    (r"(upstreams|(routes|services)/upstream)/nodes (?!127\.0\.0\.1:1$).*", [
        ("retries", "one for each node", AGAIN), ("timeout/read", "60", EARLY), ("timeout/send", "60", EARLY)])]
SHOWN = {
    "address": r"server/listen .*|upstream/server .*|[^/]*/(grpc_pass|proxy_pass) .*:.*|(frontend|listen)/bind .*|tcp/addr .*"
               r"|(backend|listen)/server .*|[^/]*/(socket_address|nodes|node_listen|tcp) .+|(listen|node_listen)/port .*",
    "TLS": r"(?s:([^/]*/((grpc|proxy)_)?ssl_(\w*certificate\w*|name|verify\w*)|(bind|server)/(crt|ca-file|key|verify|verifyhost)"
           r"|(ssls|tls)/(client_)?(cert|key)|ssls/snis|client/ca|[^/]*/(filename|require_client_certificate|sni)) .*)"}
KINDS = {"Envoy": r"^static_resources\s*:", "APISIX": r"^(?:nginx_config\s*:|#END)",
         "HAProxy": r"^(?:defaults|frontend \S+|backend \S+|listen [^\s;]+)\s*(?:#.*)?$",
         "nginx": r"^\s*(?:http|stream|server|upstream \S+|location [^{]+)\s*\{"}
SECTIONS = "frontend backend listen global defaults resolvers peers userlist cache program mailers ring http-errors fcgi-app"
WORD = r"""\#[^\n]*|(?:\\.|\$\{\w+\}|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^\s%s\\])+"""
WIDTHS = 58, 34, 34  # of the table
# A difference of a value other than None is dangerous.
Fact = namedtuple("Fact", "text at danger value", defaults=("", None))


def refuse(text):
    print(f"compare.py: {text}", file=sys.stderr)
    sys.exit(2)


# A statement of nginx, a section or line of HAProxy, or a value of YAML; at is its file and line. A root knows all nodes.
class Node:
    def __init__(self, name, text, at, parent=None, label=""):
        self.name, self.text, self.at, self.label, self.children, self.nodes = name, text, at, label, [], []
        self.chain = [self, *(parent.chain if parent else [])]
        self.path = "/".join(one.name for one in self.chain[-2::-1])
        if parent:
            parent.children.append(self)
            self.chain[-1].nodes.append(self)

    def find(self, path):
        found = [self]
        for name in path.split("/"):
            found = [child for one in found for child in one.children if child.name == name]
        return found

    def inherited(self, path):
        return next((found for found in (one.find(path) for one in self.chain) if found), [])

    def place(self):
        return " ".join(one.label for one in reversed(self.chain) if one.label)


def nginx(text, name, parent, first=1):
    words, top = [], parent
    for match in re.finditer(r"[;{}]|" + WORD % ";{}", text, re.S):
        token = match.group()
        if token in (";", "{") and words:
            servers = sum(one.name == "server" for one in parent.children) + 1
            label = "" if token == ";" or words == ["http"] else f"server {servers}" if words == ["server"] else " ".join(words)
            node = Node(words[0], " ".join(words[1:]), at, parent, label)
            parent, words = node if token == "{" else parent, []
        elif token == "}" and parent is not top:
            parent, words = parent.chain[1], []
        elif token[0] not in "#;{}":
            at = at if words else f"{name}:{first + text.count(chr(10), 0, match.start())}"
            words.append(token.strip("\"'"))


def haproxy(text, name, root):
    section = defaults = root
    for number, line in enumerate(text.split("\n"), 1):
        line = re.sub(r"^\s*no (option \S+)", r"\1 off", line)
        words = [word.strip("\"'") for word in re.findall(WORD % "#", line) if word[0] != "#"]
        if words and words[0] in SECTIONS.split():
            parent = defaults if words[0] in SECTIONS.split()[:3] else root
            section = Node(words[0], "", f"{name}:{number}", parent, "" if words[0] == "defaults" else " ".join(words[:2]))
            defaults = section if words[0] == "defaults" else defaults
        elif words:
            head = 2 if words[0] in ("timeout", "option") else 1
            value = " ".join(words[head:]) or "on"
            value += "ms" if words[0] == "timeout" and value.isdigit() else ""
            node = Node(" ".join(words[:head]), value, f"{name}:{number}", section)
            for word, after in zip_longest(words[2:], words[3:], fillvalue="") if words[0] in ("bind", "server") else ():
                Node(word, after, node.at, node)


def yaml(text, name, root):
    try:
        from yaml import YAMLError, compose
    except ImportError:
        refuse(f"{name}: YAML needs PyYAML 6: python3-yaml of Debian, or PyYAML by pip")

    def add(key, value, parent, item=False):
        node = parent if value.id == "sequence" and not item else Node(key, "", f"{name}:{value.start_mark.line + 1}", parent)
        if value.id == "scalar":
            node.text = value.value
        for one in value.value if value.id == "sequence" else ():
            add(key, one, node, True)
        for one, other in value.value if value.id == "mapping" else ():
            add(one.value, other, node)
        if value.id == "mapping":
            texts = {child.name: child.text for child in node.children}
            host, port = texts.get("address", texts.get("host")), texts.get("port_value", texts.get("port"))
            node.text = f"{host}:{port}" if host and port else ", ".join(texts) if key == "nodes" else ""
            if item and key in ("listeners", "clusters", "virtual_hosts", "routes", "upstreams", "services", "ssls"):
                way = [island for one in root.nodes[root.nodes.index(node):] for island in islands(one)]
                way += [child.text for one in node.find("match") for child in one.children if child.text]
                node.label = f"{key[:-1]} {texts.get('name', texts.get('id', ' '.join(way)))}"

    try:
        for key, value in getattr(compose(text), "value", ()):
            add(key.value, value, root)
    except YAMLError as error:
        refuse(f"{name}: {' '.join(str(error).split())}")


# config.yaml as the nginx that APISIX makes of it, with its defaults. Its upstreams have the retries and time-outs of the HTTP
# tunnel. TLS to the next hop means that this is a gateway.
def apisix(root, name):
    at = root.find("nginx_config")[0].at
    server, stream = Node("server", "", at, root, "server"), Node("stream", "", at, root, "stream")
    nginx("client_max_body_size 0; send_timeout 10s; proxy_next_upstream off; proxy_read_timeout 1h;", name, root)
    root.children += [child for one in root.find("nginx_config/http") for child in one.children]
    for key, parent in (("main", root), ("stream", stream), ("http", root), ("http_server", server)):
        for one in root.find(f"nginx_config/{key}_configuration_snippet"):
            nginx(one.text, name, parent, int(one.at.rsplit(":", 1)[1]) + 1)
    Node("grpc_pass", "$" if server.find("grpc_ssl_certificate") else "", at, server)
    Node("proxy_pass", "$", at, server)
    if root.find("apisix/stream_proxy"):
        Node("proxy_pass", "", at, stream)


def islands(node):
    if node.name == "map" and "$http_highway_island" in node.text:
        yield from (re.sub(r"^~\*?\^?|\\|\$$", "", one.name).split()[0] for one in node.children
                    if one.name not in ("", "default", "hostnames", "volatile", "include"))
    elif node.name in ("use_backend", "acl"):
        yield from " ".join(re.findall(r"highway-island\)(?: -m str| -i)*((?: (?!-)[^\s}]+)+)", node.text)).split()
    elif [one.text for one in node.find("name")] == ["highway-island"]:
        yield from (one.text for one in node.find("string_match/exact") + node.find("exact_match"))
    elif node.name == "vars" and node.children and node.children[0].text == "http_highway_island":
        yield from (one.text for value in node.children[2:] for one in value.children or [value] if one.text)


# What is wrong with a setting, and what it is compared by: for a time seconds, for a setting that never is dangerous None.
def judge(text, reason, limit=0):
    units = {"us": 1e-6, "ms": 1e-3, "": 1, "s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800, "M": 2592000, "y": 31536000}
    times = re.findall(r"([\d.]+)(us|ms|[smhdwMy]?)", text) if re.fullmatch(r"(?:[\d.]+(?:us|ms|[smhdwMy]?) ?)+", text) else []
    seconds = sum(float(number) * units[unit] for number, unit in times) or 1e9  # zero, as none, is no limit
    harmless = {"off", "0", "none", "conn-failure", "connect-failure"}  # nothing was sent then
    wrong = {EARLY: seconds < 3600, BODY: text != "0", AGAIN: not set(re.split(r"[,\s]+", text)) <= harmless,
             RELOAD: text == "off"}.get(reason, text.isdigit() and int(text) <= limit)
    return reason if wrong else "", seconds if times and reason == EARLY else text if reason else None


# Of a line that forwards: the setting that removes headers from answers, those headers, and whether a provider answers.
def removed(one, line, block, root):
    if one.name == "route" and block.path.endswith("virtual_hosts/routes"):
        to = {name.text for name in one.find("cluster") + one.find("weighted_clusters/clusters/name")}
        plain = {cluster.label[8:] for cluster in root.find("static_resources/clusters") if not cluster.find("transport_socket")}
        names = [name.text for outer in block.chain for name in outer.find("response_headers_to_remove")]
        yield "response_headers_to_remove", names, bool(to & plain)
    elif one.name == "server" and "http" in [mode.text for mode in block.inherited("mode")]:
        names = [rule.text[11:] for rule in block.find("http-response") if re.match("del-header (?!.* if )", rule.text)]
        yield "http-response del-header", names, not one.find("ssl")
    elif re.match(HTTP + "(grpc|proxy)_pass ", line):
        what = one.name[:-4] + "hide_header"
        yield what, [hide.text for hide in block.inherited(what)], not re.match(r"https:|grpcs:|\$", one.text)


# What a file has, by its name and the labels of the blocks around it.
def facts(gateway, root):
    found = {}
    for one in root.nodes:
        line, block, new = f"{one.path} {one.text}", one.chain[1], []
        place = block.place()
        found.update({(f"island {island}", ""): Fact("yes", one.at) for island in islands(one)})
        for kind, pattern in SHOWN.items():
            if re.fullmatch(pattern, f"{block.name}/{one.name} {one.text}"):
                text = one.text.split()[gateway == "HAProxy" and one.name == "server"] if kind == "address" else one.text
                text = f"PEM, SHA-256 {hashlib.sha256(text.encode()).hexdigest()[:12]}" if "\n" in text else text
                before = found.get((f"{kind} {one.name}", one.place()))
                found[f"{kind} {one.name}", one.place()] = Fact(f"{before.text}, {text}" if before else text, one.at)
        fails = [re.sub(r".*max_fails=(\d+).*|.*", r"\1", server.text) or "1 (default)" for server in block.find("server")]
        if len(fails) > 1 and re.match(HTTP + "upstream/server .", line):
            new.append(("max_fails", Fact(", ".join(fails), block.at, "" if set(fails) == {"0"} else OUT)))
        for what, names, provider in removed(one, line, block, root):
            names = sorted(name.lower() for name in names if name.lower().startswith("highway-"))
            safe = not provider or any(re.match(r"highway-not-forwarded$|highway-\S* -m beg", name) for name in names)
            new.append((what, Fact(", ".join(names) or "nothing", block.at, "" if safe else BELIEVED, names or "nothing")))
        rules = [rule for pattern, rules in RULES if re.fullmatch(pattern, line) for rule in rules]
        for name, default, reason, *limit in rules:
            setting = (block.inherited(name) or [Node("", default, block.at)])[-1]
            text = setting.text.rstrip("?") + " (default)" * (not setting.name)
            new.append((name, Fact(text, setting.at, *judge(setting.text, reason, *limit))))
        # Blocks with the same labels: none hides a dangerous one.
        found.update({(what, place): fact for what, fact in new if fact.danger or (what, place) not in found})
    return found


def read(folder):
    files = {}
    for path in sorted(Path(folder).rglob("*")):
        name = str(path.relative_to(folder))
        if path.suffix in (".conf", ".cfg", ".yaml", ".yml") and path.is_file() and "/." not in f"/{name}":
            text, root = path.read_text(errors="replace"), Node("", "", name)
            gateway = next((one for one, pattern in KINDS.items() if re.search(pattern, text, re.M)), "")
            if gateway:
                {"nginx": nginx, "HAProxy": haproxy}.get(gateway, yaml)(text, name, root)
            if root.find("nginx_config"):
                apisix(root, name)
            files[name] = gateway or "not understood", facts(gateway, root) if gateway else {}
    return files


# Prints what both sides of a file have, and returns what is dangerous.
def compare(sides):
    rows, dangers = {}, []
    # Islands first, then addresses, TLS, and settings.
    for what, place in sorted({**sides[0], **sides[1]}, key=lambda key: -"TLS address island".find(key[0].split()[0])):
        pair = [side.get((what, place)) for side in sides]
        texts = [one.text if one else "-" for one in pair]
        differs = None in pair or (pair[0].value or pair[0].text) != (pair[1].value or pair[1].text)
        changed = "A and B behave differently" if differs and None not in pair and pair[0].value else ""
        reason = next((one.danger for one in pair if one and one.danger), changed)
        rows.setdefault(("!" if reason else "*" if differs else " ", what, *texts), []).append(place)
        if reason:
            where = ", ".join(f"{side} {text} at {one.at}" for side, text, one in zip("AB", texts, pair) if one)
            dangers.append(f"! {what}, {place}: {where}\n    {reason}")
    for (mark, what, *texts), places in rows.items():
        label = f"{mark} {what}" + f", {places[0]}" * bool(places[0]) + f" and {len(places) - 1} more" * (len(places) > 1)
        wrapped = [textwrap.wrap(cell, width, subsequent_indent="    ") for cell, width in zip((label, *texts), WIDTHS)]
        for line in zip_longest(*wrapped, fillvalue=""):
            print("  ".join(f"{cell:{width}}" for cell, width in zip(line, WIDTHS)).rstrip())
    return dangers


def main(arguments):
    if "--help" in arguments:
        print(__doc__)
        return 0
    if len(arguments) != 2 or any(not Path(one).is_dir() for one in arguments):
        refuse(f"wants two folders, got: {' '.join(arguments) or 'nothing'}; tools/gateways/compare.py --help")
    sides = [read(one) for one in arguments]
    if not any(sides[0][name][1] and name in sides[1] for name in sides[0]):
        refuse(f"{arguments[0]} and {arguments[1]} have no file of nginx, Envoy, HAProxy or APISIX with the same name")
    dangers = []
    for name in sorted({**sides[0], **sides[1]}):
        (a, b), found = zip(*(side.get(name, ("", {})) for side in sides))
        title = f"{name}: {a or b}" + f", only in {'A' if a else 'B'}" * (not (a and b))
        print(f"\n{title:{WIDTHS[0]}}  {'A':{WIDTHS[1]}}  B")
        dangers += compare(found)
    print("", *dangers, f"dangerous: {len(dangers)}" if dangers else "nothing dangerous differs", sep="\n")
    return 1 if dangers else 0


sys.exit(main(sys.argv[1:]))
