package io.seqsvr.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * One text file of the source tree.
 *
 * @param path below the root of the tree, with slashes
 * @param text its content
 */
record SourceFile(String path, String text) {
    boolean isJava() {
        return path.endsWith(".java");
    }

    boolean isMainJava() {
        return isJava() && path.contains("/src/main/");
    }

    boolean isTestJava() {
        return isJava() && path.contains("/src/test/");
    }

    boolean isProto() {
        return path.endsWith(".proto");
    }

    boolean isMarkdown() {
        return path.endsWith(".md");
    }

    /** The directory, with a slash at the end; empty at the root. */
    String directory() {
        return path.substring(0, path.lastIndexOf('/') + 1);
    }

    String name() {
        return path.substring(directory().length());
    }

    List<String> lines() {
        return text.lines().toList();
    }

    /** Each place where a pattern is found in this text, or in a form of it whose lines are the same. */
    List<String> find(String form, Pattern pattern, String problem) {
        var found = new ArrayList<String>();
        var matcher = pattern.matcher(form);
        while (matcher.find()) {
            found.add(problemAt(lineOf(form, matcher.start()), problem + ": " + shown(matcher.group())));
        }
        return found;
    }

    String problemAt(long line, String problem) {
        return path + ":" + line + ": " + problem;
    }

    static long lineOf(String form, int offset) {
        return 1
                + form.substring(0, offset).chars().filter(each -> each == '\n').count();
    }

    private static String shown(String match) {
        return match.replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
    }
}
