# SPDX-License-Identifier: Apache-2.0
"""The checks of a release, for check.sh: check.py URL SCM; both empty for placeholders.

Prints one line per check, and "release: N checks, N passed".
"""
import difflib
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
import zipfile

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from pysequoia import Sig, SignatureMode, Tsk, sign, verify

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = ROOT / "target/release"
REPOSITORY = TARGET / "repository"
GROUP = "io.highway.sdk"
POM = {"m": "http://maven.apache.org/POM/4.0.0"}
MAVEN = ["mvn", "-B", "-ntp"]
REQUIRED = ("groupId", "artifactId", "version", "name", "description", "url", "licenses/m:license/m:name", "licenses/m:license/m:url",
            "developers/m:developer/m:name", "scm/m:connection", "scm/m:developerConnection", "scm/m:url")

results = []


def check(name, problems):
    results.append(not problems)
    print("ok    " if not problems else "FAILED", name, flush=True)
    for problem in problems:
        print("       ", problem, flush=True)
    return not problems


def text(node, path):
    return (node.findtext("m:" + path, "", POM) or "").strip()


def pom(path):
    return ElementTree.parse(path).getroot()


def published():
    """The one list of what is published: the BOM, and what it names."""
    bom = pom(ROOT / "highway-sdk-bom/pom.xml")
    return ["highway-sdk-bom", *(text(one, "artifactId") for one in bom.findall("m:dependencyManagement/*/m:dependency", POM))]


def maven(name, folder, environment, *arguments):
    """Runs Maven; whether it passed, and its log."""
    log = TARGET / f"{name}.log"
    with log.open("w") as output:
        code = subprocess.run([*MAVEN, *arguments], cwd=folder, env=environment, stdout=output, stderr=subprocess.STDOUT).returncode
    lines = log.read_text(errors="replace").splitlines()
    errors = [line for line in lines if line.startswith("[ERROR]")][:10]
    return [] if code == 0 else [*errors, f"see {log.relative_to(ROOT)}"], lines


def sources(folder):
    """The present sources, with the version of a release."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True,
                            check=True).stdout
    for path in filter(None, listed.split("\0")):
        if (ROOT / path).is_file():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, folder / path)
            if path.endswith("pom.xml"):
                (folder / path).write_text((folder / path).read_text().replace("-SNAPSHOT<", "<"))


def signing_key():
    """The publisher's, or one for this run."""
    if "MAVEN_GPG_KEY" in os.environ:
        return Tsk.from_bytes(os.environ["MAVEN_GPG_KEY"].encode()), dict(os.environ)
    key = Tsk.generate("Highway SDK, one run <release@highway.invalid>")
    signature = Sig.from_bytes(sign(key.signer(), b"", mode=SignatureMode.DETACHED))
    return key, dict(os.environ, MAVEN_GPG_KEY=str(key), MAVEN_GPG_KEY_FINGERPRINT=signature.issuer_fingerprint)


def builds(environment, url, scm):
    options = ["-Prelease", "-Dmaven.test.skip", "-DskipErrorProne", "-Dspotless.check.skip", "-Dgpg.signer=bc", "-pl", ",".join(published()),
               f"-Dpublisher.url={url}", f"-Dpublisher.scm={scm}"]
    for name in "one", "two":
        sources(TARGET / name)
    problems, log = maven("one", TARGET / "one", environment, *options, f"-DaltDeploymentRepository=release::file://{REPOSITORY}", "deploy")
    if not check("builds, signs and publishes into a repository of files", problems):
        return False
    check("Javadoc without a warning", [line for line in log if re.search(r"\.java:\d+: (warning|error)|^\[WARNING\].*[Jj]avadoc", line)])
    problems, log = maven("two", TARGET / "two", environment, *options, f"-Dreference.repo=release::file://{REPOSITORY}", "-Dbuildinfo.ignoreJavadoc=false",
                          "verify", "artifact:compare")
    same = [line for line in log if re.search(r"output summary: \d+ files ok$", line)]
    check("a build in another folder makes the same bytes", problems or ([] if same else ["no comparison in the log"]))
    return True


def artifacts():
    return {path: pom(path) for path in sorted(REPOSITORY.rglob("*.pom"))}


def attached(path, ending):
    return path.with_name(path.name.removesuffix(".pom") + ending)


def files(*without):
    return [path for path in sorted(REPOSITORY.rglob("*")) if path.is_file() and not path.name.startswith("maven-metadata")
            and path.suffix not in (".md5", ".sha1", ".sha256", ".sha512", *without)]


def set_of_artifacts():
    found, expected = {text(one, "artifactId") for one in artifacts().values()}, set(published())
    return [f"{name} is {'not published' if name in expected else 'published, and not in the BOM'}" for name in sorted(found ^ expected)]


def fields():
    for path, project in artifacts().items():
        for field in REQUIRED:
            if not text(project, field):
                yield f"{path.name}: no {field.replace('m:', '')}"
        for field in "connection", "developerConnection":
            if not re.fullmatch(r"scm:git:\S+", text(project, "scm/m:" + field)):
                yield f"{path.name}: scm/{field} is {text(project, 'scm/m:' + field)}"
        for element in "parent", "repositories", "pluginRepositories", "build", "profiles":
            if project.find("m:" + element, POM) is not None:
                yield f"{path.name}: has {element}"
        if "${" in path.read_text() or "-SNAPSHOT" in path.read_text():
            yield f"{path.name}: has a property or a snapshot"
        for dependency in project.findall(".//m:dependency", POM):
            if not text(dependency, "version") or text(dependency, "scope") == "test":
                yield f"{path.name}: {text(dependency, 'artifactId')} has no version, or the scope test"


def jars():
    for path, project in artifacts().items():
        for ending in (".jar", "-sources.jar", "-javadoc.jar") if text(project, "packaging") != "pom" else ():
            jar = attached(path, ending)
            names = zipfile.ZipFile(jar).namelist() if jar.exists() else []
            wanted = {".jar": r".*\.class", "-sources.jar": r".*\.java", "-javadoc.jar": r"index\.html"}[ending]
            if not any(re.fullmatch(wanted, name) for name in names):
                yield f"{jar.name}: has no {wanted}"
            if ending == ".jar" and not {"META-INF/LICENSE", "META-INF/NOTICE"} <= set(names):
                yield f"{jar.name}: has no licence"


def signatures(key):
    for path in files(".asc"):
        signature = path.with_name(path.name + ".asc")
        try:
            verify(file=str(path), signature=Sig.from_file(str(signature)), store=lambda _: [key.extract_certificate()])
        except Exception as e:  # whatever the library throws: the file is not signed
            yield f"{path.name}: {str(e).splitlines()[0]}"


def checksums():
    for path in files(".asc"):
        for algorithm in "md5", "sha1":
            checksum = path.with_name(f"{path.name}.{algorithm}")
            if not checksum.exists() or checksum.read_text().split()[:1] != [hashlib.new(algorithm, path.read_bytes()).hexdigest()]:
                yield f"{path.name}: {algorithm}"


def name_of(component):
    return f"{component.get('group')}:{component['name']} {component['version']}"


def brought(project):
    """What a user of the artifact gets with it: not what is optional."""
    for dependency in project.findall("m:dependencies/m:dependency", POM):
        if text(dependency, "scope") in ("compile", "runtime") and text(dependency, "optional") != "true":
            yield f"{text(dependency, 'groupId')}:{text(dependency, 'artifactId')} {text(dependency, 'version')}"


def sboms():
    """Each artifact with its SBOM, and what is wrong with that one."""
    for path, project in artifacts().items():
        sbom = attached(path, "-cyclonedx.json")
        if not sbom.exists():
            yield project, {}, [f"{sbom.name} is missing"]
            continue
        content = json.loads(sbom.read_text())
        error = JsonStrictValidator(SchemaVersion.from_version(content.get("specVersion"))).validate_str(sbom.read_text())
        missing = set(brought(project)) - {name_of(one) for one in content.get("components", [])}
        yield project, content, ([f"{sbom.name}: {str(error).splitlines()[0]}"] if error else []) + [f"{sbom.name}: {name} is missing" for name in sorted(missing)]


def licences():
    """What the jars bring, directly or not, with its licences, is what licences.txt has."""
    found = set()
    for project, sbom, _ in sboms():
        components = {one["bom-ref"]: one for one in sbom.get("components", [])}
        uses = {one["ref"]: one.get("dependsOn", []) for one in sbom.get("dependencies", [])}
        names = set(brought(project))
        left, seen = [ref for ref, one in components.items() if name_of(one) in names], set()
        while left:
            ref = left.pop()
            if ref not in seen:
                seen.add(ref)
                left += uses.get(ref, [])
        for one in (components[ref] for ref in seen):
            written = sorted(entry.get("expression") or entry["license"].get("id") or entry["license"]["name"] for entry in one.get("licenses", []))
            found.add(f"{name_of(one)} {' or '.join(written) or 'none'}")
    present = sorted(line for line in found if not line.startswith(GROUP + ":"))
    written = (ROOT / "tools/release/licences.txt").read_text().splitlines()
    return [line for line in difflib.unified_diff(written, present, "tools/release/licences.txt", "the jars", lineterm="", n=0)]


def users(environment, *projects):
    """Builds projects of users from the repository of files, with a local repository that has all but the SDK."""
    local = TARGET / "local"
    usual = pathlib.Path.home() / ".m2/repository"
    for folder, own in (usual, "io"), (usual / "io", "highway"):
        (local / folder.relative_to(usual)).mkdir(parents=True)
        for entry in folder.iterdir() if folder.exists() else ():
            if entry.name != own:
                (local / entry.relative_to(usual)).symlink_to(entry)
    boot_4 = TARGET / "one" / "samples" / "starter-boot-4"
    shutil.copytree(TARGET / "one" / "samples" / "starter", boot_4)
    versions = pom(ROOT / "pom.xml")
    starter = (boot_4 / "pom.xml").read_text()
    for old, new in ((text(versions, "properties/m:spring-boot.version"), text(versions, "properties/m:spring-boot-4.version")),
                     ("dubbo-spring-boot-starter", "dubbo")):
        starter = starter.replace(f">{old}<", f">{new}<")
    (boot_4 / "pom.xml").write_text(starter)
    options = f"-Dmaven.repo.local={local}", f"-Dsdk.repository=file://{REPOSITORY}", "verify"
    return [problem for project in projects
            for problem in maven(project.replace("/", "-"), TARGET / "one" / project, environment, *options)[0]]


def bundle():
    """What a publisher uploads."""
    with zipfile.ZipFile(TARGET / "bundle.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(REPOSITORY.rglob("*")):
            if path.is_file() and not path.name.startswith("maven-metadata"):
                archive.write(path, path.relative_to(REPOSITORY))


def is_tagged():
    """Whether the sources are those of the tag that the poms name."""
    changes = subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    tags = subprocess.run(["git", "tag", "--points-at", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    pom = (ROOT / "pom.xml").read_text()
    return not changes and any(f"<version>{tag.removeprefix('v')}</version>" in pom for tag in tags.split())


def main(url, scm):
    shutil.rmtree(TARGET, ignore_errors=True)
    TARGET.mkdir(parents=True)
    key, environment = signing_key()
    if builds(environment, url or "https://highway.invalid", scm or "https://highway.invalid/highway.git"):
        check("the BOM and what it lists, and no other module, is published", set_of_artifacts())
        check("poms have what Maven Central demands, and need no other pom", list(fields()))
        check("jars with licence, sources and Javadoc", list(jars()))
        check("every file is signed", list(signatures(key)))
        check("every file has its checksums", list(checksums()))
        check("SBOMs are valid and complete", [problem for _, _, problems in sboms() for problem in problems])
        check("licences of what the jars bring, as in tools/release/licences.txt", licences())
        check("samples/starter, also with Spring Boot 4, and tools/kit/project build from the repository",
              users(environment, "samples/starter", "samples/starter-boot-4", "tools/kit/project"))
    if all(results):
        if url and scm and "MAVEN_GPG_KEY" in os.environ and is_tagged():
            bundle()
            print("release: target/release/bundle.zip is what to upload")
        else:
            print("release: not for publishing: url, scm or key is one for this run, or the sources are not those of the tag")
    print(f"release: {len(results)} checks, {sum(results)} passed")
    return 0 if all(results) else 1


# As an exception, so that it ends Maven, too.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(130))
sys.exit(main(*sys.argv[1:]))
