package io.seqsvr.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the documents name exists: types, methods, tests and guards; and the other way round no guard is left out. */
class DocumentsTest {
    /** {@code `Type`} or {@code `Type.member`}; a nested type counts as a member. */
    private static final Pattern TYPE = Pattern.compile("`([A-Z][a-z]\\w+)(?:\\.(\\w+))?`");

    private static final Pattern TEST = Pattern.compile("`(\\w+(?:Test|IT))#(\\w+)`");
    private static final Pattern CONSTANT = Pattern.compile("(?m)^    ([A-Z]+(?:_[A-Z]+)*),?$");
    private static final Pattern NAMED_GUARD = Pattern.compile("`([A-Z]+(?:_[A-Z]+)+)`");
    /** From its number up to the next empty line. */
    private static final Pattern INVARIANT = Pattern.compile("(?ms)^(\\*\\*I\\d+\\..*?)^$");

    private static final String GUARDS = "core/src/main/java/io/seqsvr/core/guard/Guard.java";
    private static final String SIMULATOR = "chaos-tests/src/main/java/io/seqsvr/chaos/sim/";
    /** Words in that form that are no types of ours. */
    private static final List<String> OTHERS = List.of("Next", "Current", "Check", "Watch", "Main");

    private static String text(SourceTree tree, String path) {
        return tree.files().stream()
                .filter(file -> file.path().equals(path))
                .findFirst()
                .orElseThrow()
                .text();
    }

    private static boolean declares(SourceTree tree, String type, String member) {
        return tree.files().stream()
                .filter(file -> file.path().endsWith(".java") || file.path().endsWith(".proto"))
                .filter(file -> file.path().endsWith("/" + type + ".java")
                        || file.text().contains("message " + type))
                .anyMatch(file -> Pattern.compile("\\b" + member + "\\b")
                        .matcher(file.text())
                        .find());
    }

    @Test
    void theArchitectureNamesTypesThatExist() throws IOException {
        var tree = SourceTree.read();
        var unknown = new ArrayList<String>();
        var names = TYPE.matcher(text(tree, "ARCHITECTURE.md"));
        int found = 0;
        while (names.find()) {
            var member = names.group(2) == null ? names.group(1) : names.group(2);
            if (!OTHERS.contains(names.group(1)) && !isNested(tree, names.group(1))) {
                found++;
                if (!declares(tree, names.group(1), member)) {
                    unknown.add(names.group());
                }
            }
        }
        assertEquals(List.of(), unknown);
        assertTrue(found > 40, "only " + found + " names were looked at");
    }

    /** A record inside of a sealed type, named alone where the text has just named the outer one. */
    private static boolean isNested(SourceTree tree, String type) {
        return tree.files().stream()
                .filter(file -> file.path().contains("/src/main/java/"))
                .anyMatch(file -> file.text().contains(" record " + type + "("));
    }

    @Test
    void invariantsAndReliabilityNameTestsThatExist() throws IOException {
        var tree = SourceTree.read();
        var tests = TEST.matcher(invariants(tree) + text(tree, "docs/reliability.md") + text(tree, "docs/findings.md"));
        var unknown = new ArrayList<String>();
        int found = 0;
        while (tests.find()) {
            found++;
            var file = "/" + tests.group(1) + ".java";
            var method = Pattern.compile("(?:void|Stream<DynamicTest>) " + tests.group(2) + "\\(");
            if (tree.files().stream()
                    .noneMatch(source -> source.path().endsWith(file)
                            && method.matcher(source.text()).find())) {
                unknown.add(tests.group());
            }
        }
        assertEquals(List.of(), unknown);
        assertTrue(found > 40, "only " + found + " tests were looked at");
    }

    /** All pages of them. */
    private static String invariants(SourceTree tree) {
        return tree.files().stream()
                .filter(file -> file.path().startsWith("docs/invariants"))
                .map(SourceFile::text)
                .collect(Collectors.joining("\n"));
    }

    private static SortedSet<String> all(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void theInvariantsNameEveryGuardAndNoOther() throws IOException {
        var tree = SourceTree.read();
        var guards = all(CONSTANT, text(tree, GUARDS));
        assertEquals(guards, all(NAMED_GUARD, invariants(tree)));
        assertTrue(guards.size() > 40, "only " + guards.size() + " guards were looked at");
    }

    @Test
    void theReliabilityPageNamesEveryFaultAndEveryPromise() throws IOException {
        var tree = SourceTree.read();
        var words = all(Pattern.compile("\\b([A-Z_]+)\\b"), text(tree, "docs/reliability.md"));
        for (var constants : List.of("Fault.java", "Promise.java")) {
            var named = all(CONSTANT, text(tree, SIMULATOR + constants));
            assertTrue(named.size() > 5, "only " + named.size() + " constants were looked at in " + constants);
            named.removeAll(words);
            assertEquals(new TreeSet<String>(), named, constants);
        }
    }

    @Test
    void everyInvariantSaysWhatItClosesWhereItIsCheckedAndWhatTestsIt() throws IOException {
        var invariants = all(INVARIANT, invariants(SourceTree.read()));
        assertTrue(invariants.size() > 40, "only " + invariants.size() + " invariants were looked at");
        for (var invariant : invariants) {
            for (var part : List.of("\n- Closes: ", "\n- Checked ", "\n- Test")) {
                assertTrue(invariant.contains(part), () -> "no \"" + part.strip() + "\" in: " + invariant);
            }
        }
    }
}
