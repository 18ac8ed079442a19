package io.seqsvr.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the documents name exists: types, methods and tests. */
class DocumentsTest {
    /** {@code `Type`} or {@code `Type.member`}; a nested type counts as a member. */
    private static final Pattern TYPE = Pattern.compile("`([A-Z][a-z]\\w+)(?:\\.(\\w+))?`");

    private static final Pattern TEST = Pattern.compile("`(\\w+Test)#(\\w+)`");
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
    void theInvariantsNameTestsThatExist() throws IOException {
        var tree = SourceTree.read();
        var tests = TEST.matcher(text(tree, "docs/invariants.md"));
        var unknown = new ArrayList<String>();
        int found = 0;
        while (tests.find()) {
            found++;
            var file = "/" + tests.group(1) + ".java";
            var method = "void " + tests.group(2) + "(";
            if (tree.files().stream()
                    .noneMatch(source ->
                            source.path().endsWith(file) && source.text().contains(method))) {
                unknown.add(tests.group());
            }
        }
        assertEquals(List.of(), unknown);
        assertTrue(found > 40, "only " + found + " tests were looked at");
    }
}
