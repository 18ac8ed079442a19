package io.seqsvr.chaos.report;

import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Runs as CI systems read test results: one case for each cell, and one for each run, whose verdict also depends on
 * what no round explains.
 */
public final class JUnitXml {
    private final List<Element> cases = new ArrayList<>();
    private int failures;
    private int errors;
    private int skipped;

    private JUnitXml() {}

    /** A document of one suite. */
    public static String of(CommitRuns runs) {
        return new JUnitXml().document(runs);
    }

    private String document(CommitRuns runs) {
        runs.cells().cells().forEach(this::add);
        runs.runs().forEach(this::add);
        // The schema of old has no place for a zone here.
        var begun = runs.runs().get(0).begun().truncatedTo(ChronoUnit.SECONDS).toString();
        var suite = counted(new Element("testsuite").with("name", "chaos " + runs.commit()), runs)
                .with("timestamp", begun.replace("Z", ""))
                .add(properties(runs))
                .addAll(cases);
        var suites =
                counted(new Element("testsuites").with("name", "chaos"), runs).add(suite);
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + suites + "\n";
    }

    private Element counted(Element of, CommitRuns runs) {
        return of.with("tests", cases.size())
                .with("failures", failures)
                .with("errors", errors)
                .with("skipped", skipped)
                .with("time", seconds(runs.totals().seconds()));
    }

    private static Element properties(CommitRuns runs) {
        return new Element("properties")
                .add(property("commit", runs.commit()))
                .addAll(runs.runs().stream()
                        .map(run -> property("command." + run.name(), run.command()))
                        .toList());
    }

    private static Element property(String name, String value) {
        return new Element("property").with("name", name).with("value", value);
    }

    private void add(Cell cell) {
        var added = add("chaos", cell.name(), cell.seconds());
        var words = String.join("\n", cell.words());
        switch (cell.verdict()) {
            case VIOLATED -> fail(added, "a promise was broken", "violated", words);
            case FAILED -> fail(added, "a user waited too long", "missed", words);
            case VOID -> err(added, "a round proves nothing", "void", words);
            case SKIPPED -> {
                skipped++;
                added.add(new Element("skipped").with("message", String.join("; ", cell.skippedBecause())));
            }
            case PASS -> {
                // Nothing inside is what passes.
            }
        }
    }

    private void add(RunFile run) {
        var added = add("chaos.run", run.name(), run.seconds());
        var words = String.join("\n", Reasons.of(run)) + "\nrepeat with: " + run.command();
        switch (run.verdict()) {
            case VIOLATED -> fail(added, "a promise was broken", "violated", words);
            case MISSED -> fail(added, "a bound was missed", "missed", words);
            case INCONCLUSIVE -> err(added, "too little happened", "inconclusive", words);
            case PASS -> {
                // Nothing inside is what passes.
            }
        }
    }

    private Element add(String classname, String name, double seconds) {
        var added = new Element("testcase")
                .with("classname", classname)
                .with("name", name)
                .with("time", seconds(seconds));
        cases.add(added);
        return added;
    }

    private void fail(Element of, String message, String type, String words) {
        failures++;
        of.add(Element.of("failure", words).with("message", message).with("type", type));
    }

    /** Neither right nor wrong: the test could not tell, and must not be green. */
    private void err(Element of, String message, String type, String words) {
        errors++;
        of.add(Element.of("error", words).with("message", message).with("type", type));
    }

    private static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%.3f", seconds);
    }
}
