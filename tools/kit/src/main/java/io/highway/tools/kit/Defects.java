// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.kit;

import io.highway.tools.kit.check.Check;
import io.highway.tools.kit.check.Check.Result;
import io.highway.tools.kit.user.IslandsTest;
import io.highway.tools.kit.user.ShopTest;
import io.highway.tools.processes.Folders;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * Defects that are planted in a copy of a class, which then comes first on the class path of the tests; those named
 * {@code project} are found by tests that were written from the README and the guide alone.
 */
record Defects(TestRuns runs, Path root, Path logs) {

    private static final String USER = "tools/kit/src/main/java/io/highway/tools/kit/user/";
    private static final String PROJECT = "tools/kit/project/src/";
    private static final String SDK = "highway-sdk-dubbo-filter/src/main/java/io/highway/sdk/dubbo/internal/";

    /**
     * What is planted.
     *
     * @param file the class
     * @param right a part of its source
     * @param wrong what replaces it
     * @param finds the test that finds it
     */
    private record Defect(String name, String file, String right, String wrong, String finds) {}

    private static final List<Defect> ALL = List.of(
            new Defect("user: wrong island", USER + "Shop.java", "to(\"beijing\")", "to(\"shanghai\")", "asksBeijing"),
            new Defect(
                    "user: swallowed mayHaveRun",
                    USER + "Shop.java",
                    "e.mayHaveRun() ? \"unknown\" : \"not reserved\"",
                    "\"not reserved\"",
                    "saysThatItDoesNotKnow"),
            new Defect(
                    "user: retry of a call that is not idempotent",
                    USER + "Shop.java",
                    "if (e.mayHaveRun()) {",
                    "if (e.isBiz()) {",
                    "reservesOnce"),
            new Defect(
                    "user: missing wrap",
                    USER + "Shop.java",
                    "Highway.wrapSupplier(() -> sell(order))",
                    "() -> sell(order)",
                    "carriesTheScope"),
            new Defect(
                    "user: a field that is not serialisable",
                    USER + "StockService.java",
                    "class Customer implements Serializable",
                    "class Customer",
                    "sendsTheOrder"),
            new Defect(
                    "SDK: other island",
                    SDK + "caller/route/RouteDecider.java",
                    "policy.islandOfKey(asked) : asked;",
                    "policy.islandOfKey(asked) : \"shanghai\";",
                    "prefersTheScope"),
            new Defect(
                    "SDK: no signature",
                    SDK + "signature/OutboundRouteHeaders.java",
                    "if (signer != null) {",
                    "if (signer != null && headers.island.isEmpty()) {",
                    "prefersTheScope"),
            new Defect(
                    "SDK: fallback after may-have-run",
                    SDK + "caller/failover/OutboundCall.java",
                    "&& !failure.mayHaveRun()\n                && SERVED_AT_HOME.contains(failure.reason())",
                    "",
                    "homeAnswers_onlyWhatWasNotSent"),
            new Defect(
                    "SDK: other exception type",
                    SDK + "caller/entry/HighwayClusterInvoker.java",
                    "Result result = tunnel.run(call);",
                    "Result result; try { result = tunnel.run(call); } catch (HighwayException e) { throw new"
                            + " RpcException(e.getCode(), e.getMessage()); }",
                    "isNotSent_whenDown"),
            new Defect(
                    "project: not sent may have run",
                    SDK + "caller/failover/OutboundCall.java",
                    "exception(sent, reason, false, ",
                    "exception(sent, reason, true, ",
                    "StockTest:isNotSent_whenShanghaiIsDown"),
            new Defect(
                    "project: may have run is not sent",
                    SDK + "evidence/Failure.java",
                    "new Failure(reason, true, what)",
                    "new Failure(reason, false, what)",
                    "StockTest:mayHaveRun_whenTheAnswerIsLost"),
            new Defect(
                    "project: refused may have run",
                    SDK + "evidence/FailureClassifier.java",
                    "Failure.refused(Reason.REFUSED_THERE, Place.ISLAND, reason)",
                    "Failure.maybeRun(Reason.REMOTE_FAILURE, reason)",
                    "StockTest:isRefused"),
            new Defect(
                    "project: precedence",
                    SDK + "caller/route/IntentResolver.java",
                    "trace.heard(IntentSource.SCOPE, scoped())",
                    "trace.heard(IntentSource.SCOPE, type == null ? scoped() : null)",
                    "StockTest:prefersTheScope"),
            new Defect(
                    "project: key",
                    SDK + "caller/route/MethodIntents.java",
                    "arguments[keyIndex]",
                    "arguments[0]",
                    "StockTest:goesToTheIslandOfTheKey"),
            new Defect(
                    "project: fallback",
                    SDK + "caller/entry/HighwayClusterInvoker.java",
                    "call.hasFallback() ?",
                    "!call.hasFallback() ?",
                    "StockTest:homeAnswers_whenBeijingIsDown"));

    List<Check> checks() {
        List<Check> checks = new ArrayList<>();
        checks.add(new Check("defects: tests are green without", () -> {
            List<ClassRun> run = test("without-defect", compileProject());
            return new Result(run.size() == 3 && run.stream().allMatch(ClassRun::isGreen), run.size() + " classes");
        }));
        ALL.forEach(defect -> checks.add(new Check("defect in " + defect.name(), () -> find(defect))));
        return checks;
    }

    private Result find(Defect defect) throws IOException {
        String name = defect.name().replaceAll("[^A-Za-z]+", "-");
        Path classes = compile(defect, logs.resolve(name));
        List<ClassRun> run = test(name, classes + File.pathSeparator + compileProject());
        boolean found = run.stream().anyMatch(one -> !one.isGreen())
                && Files.readString(runs.log(name)).contains(":" + defect.finds() + "(");
        return new Result(found, found ? "found by " + defect.finds() : "not found, see " + runs.log(name));
    }

    /** Fails if a source below a folder has no place for its defect. */
    static void requirePlaces(Path root) throws IOException {
        for (Defect defect : ALL) {
            String unused = planted(defect, root);
        }
    }

    private static String planted(Defect defect, Path root) throws IOException {
        String source = Files.readString(root.resolve(defect.file()));
        String planted = source.replace(defect.right(), defect.wrong());
        if (planted.equals(source)) {
            throw new IllegalStateException(defect.file() + " has no " + defect.right());
        }
        return planted;
    }

    private Path compile(Defect defect, Path folder) throws IOException {
        String planted = planted(defect, root);
        Folders.delete(folder);
        Files.createDirectories(folder);
        compile(folder, Files.writeString(folder.resolve(Path.of(defect.file()).getFileName()), planted));
        return folder;
    }

    /** The folder with the classes of a project outside of the build. */
    private String compileProject() throws IOException {
        Path folder = logs.resolve("project");
        Files.createDirectories(folder);
        compile(
                folder,
                root.resolve(PROJECT + "main/java/com/example/stock/StockService.java"),
                root.resolve(PROJECT + "test/java/com/example/stock/StockTest.java"));
        return folder.toString();
    }

    private static void compile(Path folder, Path... files) {
        List<String> arguments = new ArrayList<>(List.of(
                "-nowarn", "-proc:none", "-cp", System.getProperty("java.class.path"), "-d", folder.toString()));
        Stream.of(files).map(Path::toString).forEach(arguments::add);
        int code = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
        if (code != 0) {
            throw new IllegalStateException(List.of(files) + " do not compile");
        }
    }

    private List<ClassRun> test(String name, String first) throws IOException {
        runs.start(
                name,
                first,
                List.of(IslandsTest.class.getName(), ShopTest.class.getName(), "com.example.stock.StockTest"));
        return runs.end(name);
    }
}
