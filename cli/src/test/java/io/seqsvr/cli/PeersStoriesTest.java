package io.seqsvr.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Each story of what went wrong elsewhere names a test of ours that would tell it, or is said to be open. */
class PeersStoriesTest {
    private static final String PAGE = "docs/peers.md";
    private static final String OPEN = "\n## Open\n";
    private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");
    private static final Pattern TEST_ANNOTATION = Pattern.compile("@(Parameterized)?Test\\b");
    /** A row of a table, without its head: that is followed by a line of dashes. */
    private static final Pattern ROW = Pattern.compile("(?m)^\\|(?!---)([^\n]*)\\|$(?!\n\\|---)");

    private static String page(SourceTree tree) {
        return tree.files().stream()
                .filter(file -> file.path().equals(PAGE))
                .findFirst()
                .orElseThrow()
                .text();
    }

    private static List<String> rows(String text) {
        return ROW.matcher(text).results().map(row -> row.group(1)).toList();
    }

    /** As JUnit runs it: a class that is gone, or a method that lost its annotation, tells nothing. */
    private static boolean runs(SourceTree tree, String type, String method) {
        return tree.files().stream()
                .filter(file ->
                        file.path().contains("/src/test/java/") && file.path().endsWith("/" + type + ".java"))
                .anyMatch(file -> isTest(file.text().lines().toList(), method));
    }

    private static boolean isTest(List<String> lines, String method) {
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).contains(" void " + method + "(")) {
                int line = i;
                while (line > 0 && lines.get(line - 1).strip().startsWith("@")) {
                    line--;
                    if (TEST_ANNOTATION.matcher(lines.get(line)).find()) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    @Test
    void everyStoryNamesATestThatRuns() throws IOException {
        var tree = SourceTree.read();
        var page = page(tree);
        var stories = rows(page.substring(0, page.indexOf(OPEN)));
        var problems = new ArrayList<String>();
        for (var story : stories) {
            var tests = TEST.matcher(story).results().toList();
            if (tests.isEmpty()) {
                problems.add("no test: " + story);
            }
            tests.stream()
                    .filter(test -> !runs(tree, test.group(1), test.group(2)))
                    .forEach(test -> problems.add("does not run: " + test.group()));
        }
        assertEquals(List.of(), problems);
        assertTrue(stories.size() > 25, "only " + stories.size() + " stories were looked at");
    }

    @Test
    void aTestThatIsGoneOrNotRunIsSeen() throws IOException {
        var tree = SourceTree.read();
        assertTrue(runs(tree, "PeersStoriesTest", "everyStoryNamesATestThatRuns"));
        assertEquals(
                List.of(false, false, false),
                List.of(
                        runs(tree, "PeersStoriesTest", "everyStoryNamesATestThatWalks"),
                        runs(tree, "StoriesOfPeersTest", "everyStoryNamesATestThatRuns"),
                        runs(tree, "BenchRun", "run")));
    }
}
