package io.seqsvr.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The house rules about text of any kind: each tells the places of a file that break it. */
final class TextRules {
    private static final int LONGEST_LINE = 120;

    // Words that must not be found are put together, so that a search for them does not find this file.
    private static final Pattern OPEN_END =
            Pattern.compile("\\b(?:" + String.join("|", "TO" + "DO", "FIX" + "ME", "XX" + "X") + ")\\b");
    private static final List<String> REGISTRIES = Stream.of(
                    "registry npmjs org",
                    "registry yarnpkg com",
                    "repo maven apache org",
                    "repo1 maven org",
                    "plugins gradle org",
                    "files pythonhosted org",
                    "pypi org")
            .map(host -> host.replace(' ', '.'))
            .toList();
    private static final Pattern REGISTRY = Pattern.compile(
            String.join("|", REGISTRIES.stream().map(Pattern::quote).toList())
                    + "|https?://[\\w.-]*(?:regis" + "try|arti" + "factory|nex" + "us|mir" + "ror)[\\w.-]*"
                    + "|(?m)^distribution" + "Url=.*|\"resol" + "ved\": *\"http[^\"]*");
    private static final Pattern PATH_OF_A_MACHINE =
            Pattern.compile("(?<![\\w.}])/(?:home|root|tmp|work|Users|private|mnt)/[\\w.-]*|\\b[A-Z]:\\\\Users\\b");

    private static final Pattern PROTO_BLOCK = Pattern.compile("(message|enum|oneof|service)\\s+\\w+\\s*\\{.*");
    private static final Pattern PROTO_RPC = Pattern.compile("rpc\\s+\\w+.*");
    private static final Pattern PROTO_FIELD =
            Pattern.compile("(?:optional\\s+|repeated\\s+)?[\\w.]+(?:<[^>]*>)?\\s+\\w+\\s*=\\s*\\d+.*");
    private static final Pattern PROTO_VALUE = Pattern.compile("[A-Z]\\w*\\s*=\\s*-?\\w+.*");

    private static final Pattern POM_VERSION = Pattern.compile("<version>[^<]*</version>");
    private static final Pattern POM_PARENT = Pattern.compile("(?s)<parent>.*?</parent>");
    private static final Pattern POM_COMMENT = Pattern.compile("(?s)<!--.*?-->");

    private static final Pattern LINK =
            Pattern.compile("\\]\\(\\s*<?([^)\\s>]+)>?(?:\\s+\"[^\"]*\")?\\s*\\)|(?m)^\\[[^\\]]+\\]:\\s*(\\S+)");
    private static final String FENCED = "(?ms)^\\s*(```|~~~).*?^\\s*\\1";
    private static final Pattern QUOTED_CODE = Pattern.compile(FENCED + "|`[^`\\n]*`");
    private static final Pattern FENCED_CODE = Pattern.compile(FENCED);
    private static final Pattern ELSEWHERE = Pattern.compile("[a-z][a-z0-9+.-]*:.*");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6}\\s+(.*?)\\s*$");

    private TextRules() {}

    static List<String> openEnds(SourceFile file) {
        return file.find(file.text(), OPEN_END, "do it, or write an issue");
    }

    static List<String> longLines(SourceFile file) {
        var lines = file.lines();
        return IntStream.range(0, lines.size())
                .filter(i -> lines.get(i).codePointCount(0, lines.get(i).length()) > LONGEST_LINE)
                .mapToObj(i -> file.problemAt(i + 1, "longer than " + LONGEST_LINE + " characters"))
                .toList();
    }

    /** What is true on one machine only: where packages come from there, and where files lie. */
    static List<String> placesOfAMachine(SourceFile file, Path root) {
        var problems = new ArrayList<>(file.find(file.text(), REGISTRY, "a registry"));
        problems.addAll(file.find(file.text(), PATH_OF_A_MACHINE, "a path of one machine"));
        problems.addAll(file.find(file.text(), Pattern.compile(Pattern.quote(root + "/")), "a path of this machine"));
        return problems;
    }

    /** Messages without a comment directly above; in the public API fields, values and methods too. */
    static List<String> uncommentedProto(SourceFile file) {
        boolean isPublic = !file.path().contains("/internal/");
        var problems = new ArrayList<String>();
        Deque<String> blocks = new ArrayDeque<>();
        var above = "";
        int number = 0;
        for (var raw : file.lines()) {
            number++;
            var line = raw.replaceFirst("//.*", "").strip();
            if (wantsComment(line, blocks.isEmpty() ? "" : blocks.peek(), isPublic)
                    && !above.startsWith("//")
                    && !above.endsWith("*/")) {
                problems.add(file.problemAt(number, "no comment above: " + line));
            }
            var block = PROTO_BLOCK.matcher(line);
            var kind = block.matches() ? block.group(1) : "";
            for (int i = 0; i < line.length(); i++) {
                if (line.charAt(i) == '{') {
                    blocks.push(kind);
                } else if (line.charAt(i) == '}') {
                    blocks.pop();
                }
            }
            above = raw.strip();
        }
        return problems;
    }

    private static boolean wantsComment(String line, String inside, boolean isPublic) {
        if (line.startsWith("message ")) {
            return true;
        }
        if (!isPublic) {
            return false;
        }
        return switch (inside) {
            case "service" -> PROTO_RPC.matcher(line).matches();
            case "enum" -> PROTO_VALUE.matcher(line).matches();
            case "message", "oneof" -> PROTO_FIELD.matcher(line).matches();
            default -> false;
        };
    }

    /** Of a module's pom: versions are the parent's business. */
    static List<String> versionsOfItsOwn(SourceFile pom) {
        var text = blank(blank(pom.text(), POM_COMMENT), POM_PARENT);
        return pom.find(text, POM_VERSION, "a version that is not the parent's");
    }

    static List<String> deadLinks(SourceFile file, Path root) {
        var text = blank(file.text(), QUOTED_CODE);
        return LINK.matcher(text)
                .results()
                .filter(link -> isDead(target(link), file, root))
                .map(link -> file.problemAt(SourceFile.lineOf(text, link.start()), "leads nowhere: " + target(link)))
                .toList();
    }

    private static String target(MatchResult link) {
        return link.group(1) == null ? link.group(2) : link.group(1);
    }

    private static boolean isDead(String target, SourceFile file, Path root) {
        if (ELSEWHERE.matcher(target).matches()) {
            return false;
        }
        int hash = target.indexOf('#');
        var path = hash < 0 ? target : target.substring(0, hash);
        var anchor = hash < 0 ? "" : target.substring(hash + 1);
        var from = path.startsWith("/") ? root : root.resolve(file.directory());
        var there = from.resolve(path.replaceFirst("^/+", "")).normalize();
        // What lies outside of the tree is there on one machine and not on the next.
        if (!path.isEmpty() && !(there.startsWith(root.normalize()) && Files.exists(there))) {
            return true;
        }
        boolean hasAnchors = path.isEmpty() || path.endsWith(".md");
        if (anchor.isEmpty() || !hasAnchors) {
            return false;
        }
        return !anchors(path.isEmpty() ? file.text() : SourceTree.text(there)).contains(anchor);
    }

    private static List<String> anchors(String text) {
        return HEADING.matcher(blank(text, FENCED_CODE))
                .results()
                .map(heading -> anchor(heading.group(1)))
                .toList();
    }

    /** As the readers of Markdown on the web make them. */
    private static String anchor(String heading) {
        return heading.toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
    }

    /** Takes out what matches; lines stay where they were. */
    private static String blank(String text, Pattern what) {
        return what.matcher(text).replaceAll(match -> match.group().replaceAll("[^\n]", " "));
    }
}
