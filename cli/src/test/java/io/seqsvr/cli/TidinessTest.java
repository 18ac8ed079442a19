package io.seqsvr.cli;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The house rules hold in every file of the source tree; and each rule sees a file that breaks it. */
final class TidinessTest {
    private static final String MAIN = "some/src/main/java/io/seqsvr/some/Some.java";
    private static final String TEST = "some/src/test/java/io/seqsvr/some/SomeTest.java";
    private static final String PUBLIC_PROTO = "proto/src/main/protobuf/seqsvr/v1/some.proto";
    private static final String INTERNAL_PROTO = "proto/src/main/protobuf/seqsvr/internal/v1/some.proto";

    /** Where what must not be done is done on purpose. */
    private static final String FIXTURES = "/io/seqsvr/cli/broken/";

    private static SourceTree tree;

    @BeforeAll
    static void read() throws IOException {
        tree = SourceTree.read();
    }

    @Test
    void theTreeIsWhole() {
        for (String path : List.of(
                "pom.xml",
                "core/pom.xml",
                "core/src/main/java/io/seqsvr/core/store/StoreRules.java",
                "core/src/test/java/io/seqsvr/core/store/StoreRandomTest.java",
                "proto/src/main/protobuf/seqsvr/v1/sequences.proto",
                "ops/storesvr.yaml",
                "examples/curl/sequences.sh")) {
            assertTrue(tree.files().stream().anyMatch(file -> file.path().equals(path)), path);
        }
        assertEquals(
                List.of(),
                tree.files().stream()
                        .filter(file -> file.path().contains("/target/"))
                        .toList());
    }

    /** A file is broken by too much of a good thing. */
    @Nested
    final class Size {
        @Test
        void noJavaFileIsTooLong() {
            everywhere(SourceFile::isMainJava, JavaRules::tooLong);
            everywhere(SourceFile::isTestJava, JavaRules::tooLong);
        }

        @Test
        void aLongFileIsSeen() {
            sees(JavaRules::tooLong, MAIN, "x\n".repeat(401));
            sees(JavaRules::tooLong, TEST, "x\n".repeat(501));
            accepts(JavaRules::tooLong, MAIN, "x\n".repeat(400));
            accepts(JavaRules::tooLong, TEST, "x\n".repeat(500));
        }

        @Test
        void noLineIsTooLong() {
            everywhere(file -> file.isJava() || file.isProto(), TextRules::longLines);
        }

        @Test
        void aLongLineIsSeen() {
            sees(TextRules::longLines, MAIN, "short\n" + "x".repeat(121) + "\n");
            accepts(TextRules::longLines, MAIN, "\u00fc".repeat(120) + "\n");
        }
    }

    /** What is not finished, says nothing or goes the wrong way. */
    @Nested
    final class Words {
        @Test
        void nothingIsLeftOpen() {
            everywhere(file -> file.path().contains("/src/") || file.isMarkdown(), TextRules::openEnds);
        }

        @ParameterizedTest
        @ValueSource(strings = {"// TO~DO later", "// FIX~ME", "/* XX~X */"})
        void anOpenEndIsSeen(String text) {
            sees(TextRules::openEnds, MAIN, text.replace("~", ""));
        }

        @Test
        void everyNameSaysWhatItIs() {
            everywhere(SourceFile::isJava, JavaRules::namesThatSayNothing);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "final class LeaseManager {}",
                    "interface TestHelper {}",
                    "enum TimeUtil {}",
                    "record StringUtils() {}",
                    "class Outer { static class StoreImpl {} }"
                })
        void aNameThatSaysNothingIsSeen(String text) {
            sees(JavaRules::namesThatSayNothing, MAIN, text);
        }

        @Test
        void namesInCommentsAndOfOthersAreAccepted() {
            accepts(
                    JavaRules::namesThatSayNothing,
                    MAIN,
                    "/* class LeaseManager */ import java.util.logging.LogManager;");
        }

        @Test
        void nobodyWritesPastTheWritersAndTheLog() {
            // What is measured by hand has nobody else to tell.
            everywhere(file -> file.isMainJava() && !file.path().startsWith("bench/"), JavaRules::writingToTheConsole);
        }

        @ParameterizedTest
        @ValueSource(strings = {"System.out.println();", "System.err\n.print(1);", "failure.printStackTrace();"})
        void writingToTheConsoleIsSeen(String text) {
            sees(JavaRules::writingToTheConsole, MAIN, text);
            accepts(JavaRules::writingToTheConsole, MAIN, "// " + text.replace('\n', ' '));
            accepts(JavaRules::writingToTheConsole, MAIN, "\"" + text.replace('\n', ' ') + "\"");
        }

        @Test
        void nobodySleeps() {
            everywhere(file -> file.isJava() && !file.path().contains(FIXTURES), JavaRules::sleeping);
        }

        @Test
        void sleepIsSeen() {
            sees(JavaRules::sleeping, TEST, "Thread.sleep(1);");
        }

        /** A backup from a machine that writes other digits could not be read on the next one. */
        @Test
        void numbersAreWrittenTheSameEverywhere() {
            everywhere(SourceFile::isMainJava, JavaRules::localNumbers);
        }

        @Test
        void aNumberThatDependsOnTheMachineIsSeen() {
            sees(JavaRules::localNumbers, MAIN, "return \"rows-%05d\".formatted(number);");
            sees(JavaRules::localNumbers, MAIN, "String.format(\n        \"%.3f s\", seconds)");
            accepts(JavaRules::localNumbers, MAIN, "String.format(Locale.ROOT, \"%d\", number)");
            accepts(JavaRules::localNumbers, MAIN, "\"%s is %s\".formatted(name, what)");
        }

        @Test
        void everyCatchHasCodeOrAReason() {
            everywhere(SourceFile::isMainJava, JavaRules::emptyCatches);
        }

        @Test
        void anEmptyCatchIsSeen() {
            sees(JavaRules::emptyCatches, MAIN, "try { f(); } catch (Exception ignored) {\n}");
            accepts(JavaRules::emptyCatches, MAIN, "try { f(); } catch (Exception ignored) {\n// Why not.\n}");
            accepts(JavaRules::emptyCatches, MAIN, "try { f(); } catch (Exception e) { g(); }");
        }
    }

    /** What must be explained. */
    @Nested
    final class Documentation {
        @Test
        void everyPackageSaysWhatItIs() {
            assertEquals(List.of(), JavaRules.undescribedPackages(tree.files()));
        }

        @Test
        void anUndescribedPackageIsSeen() {
            var info = MAIN.replace("Some.java", "package-info.java");
            var some = new SourceFile(MAIN, "class Some {}");
            assertNotEquals(List.of(), JavaRules.undescribedPackages(List.of(some)));
            for (String text : List.of("/** Some. */\npackage some;", "@NullMarked\npackage some;")) {
                assertNotEquals(List.of(), JavaRules.undescribedPackages(List.of(some, new SourceFile(info, text))));
            }
            var whole = new SourceFile(info, "/** Some. */\n@NullMarked\npackage some;");
            assertEquals(List.of(), JavaRules.undescribedPackages(List.of(some, whole)));
        }

        @Test
        void everyPublicTypeHasJavadoc() {
            everywhere(SourceFile::isMainJava, JavaRules::undocumentedTypes);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "package some;\n\npublic final class Some {}",
                    "/* No Javadoc. */\npublic enum Some {}",
                    "/** Of the import. */\nimport some;\n@A(b = \"(\")\npublic record Some(int a) {}",
                    "/** Some. */\nclass Some {\n    int a;\n\n    public static class Inner {}\n}",
                    "/** Some. */\npublic sealed interface Some {\n    int a();\n\n    record Inner() {}\n}"
                })
        void aTypeWithoutJavadocIsSeen(String text) {
            sees(JavaRules::undocumentedTypes, MAIN, text);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "/** Some. */\npublic final class Some {}",
                    "/** Some. */\n@A(b = {@C(d = \"(\"), @E}) // Why.\n@F\npublic @interface Some {}",
                    "final class Some { final class Inner {} }",
                    "/** Some. */\npublic interface Some {\n    /** Inner. */\n    record Inner() {}\n}"
                })
        void aTypeWithJavadocOrNotPublicIsAccepted(String text) {
            accepts(JavaRules::undocumentedTypes, MAIN, text);
        }

        @Test
        void everyPartOfTheWireIsExplained() {
            everywhere(SourceFile::isProto, TextRules::uncommentedProto);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "message Some {}",
                    "// Some.\nmessage Some {\n  int64 some = 1;\n}",
                    "// Some.\nmessage Some {\n  // A.\n  int64 a = 1;\n  repeated b.C b = 2;\n}",
                    "// Some.\nmessage Some {\n  oneof kind {\n    int64 a = 1;\n  }\n}",
                    "// Some.\nenum Some {\n  SOME_UNSPECIFIED = 0;\n}",
                    "// Some.\nservice Some {\n  rpc Do(A) returns (B);\n}"
                })
        void anUnexplainedPartOfThePublicWireIsSeen(String text) {
            sees(TextRules::uncommentedProto, PUBLIC_PROTO, text);
        }

        @Test
        void ofTheInternalWireMessagesAreExplained() {
            sees(TextRules::uncommentedProto, INTERNAL_PROTO, "message Some {}");
            sees(TextRules::uncommentedProto, INTERNAL_PROTO, "// Some.\nmessage Some {\n  message Inner {\n  }\n}");
            accepts(TextRules::uncommentedProto, INTERNAL_PROTO, "// Some.\nmessage Some {\n  int64 some = 1;\n}");
        }

        @Test
        void everyLinkLeadsSomewhere() {
            everywhere(SourceFile::isMarkdown, file -> TextRules.deadLinks(file, tree.root()));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "[some](nowhere.md)",
                    "![some](nowhere.png \"title\")",
                    "[some]: nowhere.md",
                    "# Some\n[some](#other)",
                    "[some](../pom.xml)"
                })
        void aDeadLinkIsSeen(String text) {
            sees(file -> TextRules.deadLinks(file, tree.root()), "some.md", text);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "[some](pom.xml)",
                    "[some](core/pom.xml#L1) [other](core)",
                    "[some](https://example.org/nowhere.md)",
                    "`[some](nowhere.md)`",
                    "```\n[some](nowhere.md)\n```",
                    "# Some `Thing`, twice\n[some](#some-thing-twice)"
                })
        void aLivingLinkIsAccepted(String text) {
            accepts(file -> TextRules.deadLinks(file, tree.root()), "some.md", text);
        }
    }

    /** What is true here and nowhere else. */
    @Nested
    final class Places {
        @Test
        void noFileTellsOfTheMachineItWasWrittenOn() {
            everywhere(
                    file -> file.path().contains("/src/main/")
                            || file.path().matches("(?:docs|ops|examples)/.*|[^/]*\\.md"),
                    file -> TextRules.placesOfAMachine(file, tree.root()));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "data: /home/~me/data",
                    "cd /tmp/~x",
                    "\"/root/~.m2\"",
                    "C:\\Use~rs\\me",
                    "\"resol~ved\": \"https://some.where/left-pad.tgz\"",
                    "https://arti~factory.some.where/npm",
                    "see regis~try.npm~js.o~rg"
                })
        void aPlaceOfAMachineIsSeen(String text) {
            sees(file -> TextRules.placesOfAMachine(file, tree.root()), "docs/some.md", text.replace("~", ""));
        }

        @Test
        void thePlaceOfThisTreeIsSeen() {
            var file = new SourceFile("docs/some.md", "in " + tree.root() + "/ops");
            assertNotEquals(List.of(), TextRules.placesOfAMachine(file, tree.root()));
        }

        @ParameterizedTest
        @ValueSource(strings = {"http://127.0.0.1:7700/v1/tmp/x", "data: seqsvr-data/n1", "MeterRegistry registry"})
        void anyOtherPlaceIsAccepted(String text) {
            accepts(file -> TextRules.placesOfAMachine(file, tree.root()), "docs/some.md", text);
        }

        @Test
        void everyVersionStandsInTheParent() {
            everywhere(file -> file.path().matches("[^/]+/pom\\.xml"), TextRules::versionsOfItsOwn);
        }

        @Test
        void aVersionOfItsOwnIsSeen() {
            var parent = "<parent>\n<version>1</version>\n</parent>\n";
            sees(TextRules::versionsOfItsOwn, "some/pom.xml", parent + "<version>${some.version}</version>");
            accepts(TextRules::versionsOfItsOwn, "some/pom.xml", parent + "<!-- <version>2</version> -->");
        }
    }

    private static void everywhere(Predicate<SourceFile> where, Function<SourceFile, List<String>> rule) {
        var files = tree.files().stream().filter(where).toList();
        assertNotEquals(List.of(), files, "the rule looks at no file");
        var problems = files.stream().flatMap(file -> rule.apply(file).stream()).toList();
        if (!problems.isEmpty()) {
            fail(problems.size() + " problems:" + problems.stream().collect(joining("\n", "\n", "\n")));
        }
    }

    private static void sees(Function<SourceFile, List<String>> rule, String path, String text) {
        assertEquals(1, rule.apply(new SourceFile(path, text)).size(), () -> "not seen once: " + text);
    }

    private static void accepts(Function<SourceFile, List<String>> rule, String path, String text) {
        assertEquals(List.of(), rule.apply(new SourceFile(path, text)));
    }
}
