package io.seqsvr.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The house rules about the text of Java files: each tells the places of a file that break it. */
final class JavaRules {
    private static final int MOST_MAIN_LINES = 400;
    private static final int MOST_TEST_LINES = 500;

    private static final Pattern DECLARED = Pattern.compile("\\b(?:class|interface|record|enum)\\s+(\\w+)");
    private static final Pattern SAYS_NOTHING = Pattern.compile("\\w*(?:Manager|Helper|Util|Utils|Impl)");
    private static final Pattern CONSOLE =
            Pattern.compile("\\bSystem\\s*\\.\\s*(?:out|err)\\b|\\.\\s*printStackTrace\\b");
    private static final Pattern SLEEP = Pattern.compile("\\bThread\\s*\\.\\s*sleep\\b");
    /** A format without a locale, but for words in another text alone: those are the same everywhere. */
    private static final Pattern LOCAL_NUMBER =
            Pattern.compile("String\\s*\\.\\s*format\\s*\\(\\s*\"|%[-0-9,.]*[dfeg][^\"\n]*\"\\s*\\.\\s*formatted\\b");

    private static final Pattern EMPTY_CATCH = Pattern.compile("\\bcatch\\s*\\([^)]*\\)\\s*\\{\\s*\\}");

    private static final String ANNOTATIONS =
            "(?:@[\\w.]+\\s*+(?:\\((?:[^()]++|\\((?:[^()]++|\\([^()]*+\\))*+\\))*+\\))?\\s*+)*+";
    private static final String MODIFIERS = "(?:(?:abstract|final|sealed|non-sealed|static|strictfp)\\s+)*";
    private static final String TYPE = "(?:class|interface|record|enum|@interface)\\s+\\w+";
    /** A public type; the group is the last character before its annotations. */
    private static final Pattern PUBLIC_TYPE =
            Pattern.compile("(\\S?)\\s*" + ANNOTATIONS + "\\bpublic\\s+" + MODIFIERS + TYPE);
    /** A type inside an interface is public without saying so. The format gives its indent. */
    private static final Pattern TYPE_IN_INTERFACE =
            Pattern.compile("(\\S?)\\s*\\n {4}" + ANNOTATIONS + "\\b" + MODIFIERS + TYPE);

    private static final Pattern PUBLIC_INTERFACE =
            Pattern.compile("(?m)^public\\s+(?:(?:sealed|non-sealed)\\s+)?interface\\b");

    private JavaRules() {}

    static List<String> tooLong(SourceFile file) {
        int most = file.isMainJava() ? MOST_MAIN_LINES : MOST_TEST_LINES;
        int lines = file.lines().size();
        return lines > most ? List.of(file.path() + ": " + lines + " lines; at most " + most) : List.of();
    }

    static List<String> namesThatSayNothing(SourceFile file) {
        return DECLARED.matcher(JavaText.mask(file.text()))
                .results()
                .map(declared -> declared.group(1))
                .filter(name -> SAYS_NOTHING.matcher(name).matches())
                .map(name -> file.path() + ": " + name + " does not say what it is")
                .toList();
    }

    static List<String> writingToTheConsole(SourceFile file) {
        return file.find(JavaText.mask(file.text()), CONSOLE, "writes past the command's writers and the log");
    }

    static List<String> sleeping(SourceFile file) {
        return file.find(JavaText.mask(file.text()), SLEEP, "sleeps");
    }

    static List<String> localNumbers(SourceFile file) {
        return file.find(file.text(), LOCAL_NUMBER, "depends on the locale of the machine; say Locale.ROOT");
    }

    static List<String> emptyCatches(SourceFile file) {
        return file.find(JavaText.mask(file.text()), EMPTY_CATCH, "neither code nor a reason");
    }

    static List<String> undocumentedTypes(SourceFile file) {
        var text = JavaText.mask(file.text()).replace(JavaText.COMMENT, ' ');
        var problems = new ArrayList<>(undocumented(file, text, PUBLIC_TYPE));
        if (PUBLIC_INTERFACE.matcher(text).find()) {
            problems.addAll(undocumented(file, text, TYPE_IN_INTERFACE));
        }
        return problems;
    }

    private static List<String> undocumented(SourceFile file, String text, Pattern type) {
        return type.matcher(text)
                .results()
                .filter(found -> !found.group(1).equals(String.valueOf(JavaText.JAVADOC)))
                .map(found -> file.problemAt(SourceFile.lineOf(text, found.end()), "a public type without Javadoc"))
                .toList();
    }

    /** Of all main files together: packages that do not say what they are, or not that they are free of nulls. */
    static List<String> undescribedPackages(List<SourceFile> files) {
        Map<String, List<SourceFile>> byPackage =
                files.stream().filter(SourceFile::isMainJava).collect(Collectors.groupingBy(SourceFile::directory));
        return byPackage.entrySet().stream()
                .filter(each -> each.getValue().stream().noneMatch(JavaRules::describesItsPackage))
                .map(each -> each.getKey() + ": no package-info.java with Javadoc and @NullMarked")
                .sorted()
                .toList();
    }

    private static boolean describesItsPackage(SourceFile file) {
        var text = JavaText.mask(file.text());
        return file.name().equals("package-info.java")
                && text.indexOf(JavaText.JAVADOC) >= 0
                && text.contains("@NullMarked");
    }
}
