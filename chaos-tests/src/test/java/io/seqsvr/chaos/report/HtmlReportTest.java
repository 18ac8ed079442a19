package io.seqsvr.chaos.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** What somebody sees who opens the page. */
final class HtmlReportTest {
    /** Runs as a night may leave them: a short one, a long one, and one in which everything went wrong. */
    private static CommitRuns aNight() {
        return new CommitRuns(
                "abc1234",
                List.of(
                        new SampleRun(5, 600, 40)
                                .begunAt("2026-11-22T11:45:00Z")
                                .skips("cut-allocator", "no network namespaces: the kernel refuses unshare")
                                .skips("fill-store-disk", "no loop devices")
                                .file(),
                        new SampleRun(20_261_122, 7_200, 310)
                                .begunAt("2026-11-22T12:00:00Z")
                                .comesTo(17, RoundVerdict.VOID, "pause router-2 did not take effect")
                                .file(),
                        new SampleRun(7, 600, 40)
                                .begunAt("2026-11-22T15:00:00Z")
                                .comesTo(9, RoundVerdict.MISSED, "a user waited 6,535 ms; 5,301 ms were allowed")
                                .comesTo(
                                        12,
                                        RoundVerdict.VIOLATED,
                                        "UNIQUE: user 42 was answered 997 to 997 under epoch 8, against 991 to 1000"
                                                + " under epoch 7")
                                .file()));
    }

    private static CommitRuns alone(SampleRun run) {
        return new CommitRuns("abc1234", List.of(run.file()));
    }

    private static Document parsed(String page) {
        return Parsed.document(page.replace("<!DOCTYPE html>", ""));
    }

    private static List<Element> all(Document page, String name) {
        var nodes = page.getElementsByTagName(name);
        return IntStream.range(0, nodes.getLength())
                .mapToObj(i -> (Element) nodes.item(i))
                .toList();
    }

    private static String text(Document page, String name) {
        return all(page, name).get(0).getTextContent().strip();
    }

    /** Left where somebody who changes the page can open it. */
    @Test
    void aNightIsOnePageThatIsWellFormed() throws IOException {
        var page = HtmlReport.of(aNight());
        Files.writeString(Path.of("target", "sample-report.html"), page);
        var parsed = parsed(page);
        assertTrue(text(parsed, "h1").endsWith("VIOLATED"), () -> text(parsed, "h1"));
        assertEquals("VIOLATED: chaos runs of abc1234", text(parsed, "title"));
        assertTrue(page.contains("./seqsvr chaos run --minutes 10 --seed 7"));
        assertTrue(page.contains("no network namespaces: the kernel refuses unshare"));
    }

    @Test
    void aGoodDayIsGreenAndHasNothingToExplain() throws IOException {
        var page = HtmlReport.of(alone(new SampleRun(5, 600, 40)));
        Files.writeString(Path.of("target", "sample-report-pass.html"), page);
        assertTrue(text(parsed(page), "h1").endsWith("PASS"));
        assertFalse(page.contains("Why it is no pass"));
    }

    @Test
    void whatANodeWroteIsFoldedUpBehindWhatHappened() {
        var page = HtmlReport.of(alone(new SampleRun(5, 600, 40)
                .comesTo(3, RoundVerdict.VOID, "store-2 ended with exit code 1; it wrote:\nfirst <line>\n  second\n")));
        var parsed = parsed(page);
        var written = all(parsed, "pre");
        assertFalse(written.isEmpty());
        for (var lines : written) {
            assertEquals("first <line>\n  second", lines.getTextContent());
            assertEquals("details", lines.getParentNode().getNodeName());
        }
        assertEquals(written.size(), page.split("exit code 1; it wrote:", -1).length - 1, "each says what happened");
    }

    @Test
    void nothingIsFetchedAndNothingRuns() {
        var page = HtmlReport.of(aNight());
        var parsed = parsed(page);
        for (var name : List.of("script", "link", "img", "iframe", "object", "image", "use")) {
            assertEquals(List.of(), all(parsed, name), name);
        }
        assertFalse(page.contains("url("));
        assertFalse(page.contains("@import"));
        for (var link : all(parsed, "a")) {
            assertTrue(link.getAttribute("href").startsWith("#"), () -> link.getAttribute("href"));
        }
    }

    @Test
    void everyLinkHasItsRun() {
        var parsed = parsed(HtmlReport.of(aNight()));
        var places = new ArrayList<String>();
        all(parsed, "section").forEach(section -> places.add("#" + section.getAttribute("id")));
        for (var link : all(parsed, "a")) {
            assertTrue(places.contains(link.getAttribute("href")), () -> link.getAttribute("href"));
        }
    }

    @Test
    void whoDoesNotSeeADrawingIsToldOfIt() {
        var parsed = parsed(HtmlReport.of(aNight()));
        for (var drawing : all(parsed, "svg")) {
            assertEquals("title", drawing.getFirstChild().getNextSibling().getNodeName());
            assertEquals(1, drawing.getElementsByTagName("desc").getLength());
            assertEquals("img", drawing.getAttribute("role"));
        }
        for (var head : all(parsed, "th")) {
            assertTrue(List.of("col", "row").contains(head.getAttribute("scope")), head::getTextContent);
        }
    }

    @Test
    void whatARunSaysStaysText() {
        var evil = "</style><script>alert('x')</script> & \"more\" \u0000\u001b[31m \ud800";
        var page = HtmlReport.of(new CommitRuns(
                evil,
                List.of(new SampleRun(5, 60, 3)
                        .comesTo(2, RoundVerdict.VIOLATED, evil)
                        .file())));
        var parsed = parsed(page);
        assertEquals(List.of(), all(parsed, "script"));
        assertTrue(parsed.getDocumentElement()
                .getTextContent()
                .contains("</style><script>alert('x')</script> & \"more\" [31m "));
    }

    @Test
    void aWitnessShowsBothOperationsTheSeedAndHowToSeeItAgain() {
        var parsed = parsed(HtmlReport.of(aNight()));
        var witness = all(parsed, "div").stream()
                .filter(div -> div.getAttribute("class").equals("witness"))
                .findFirst()
                .orElseThrow()
                .getTextContent();
        for (var part : List.of("UNIQUE", "991", "1000", "997", "Seed 7", "./seqsvr chaos run --minutes 10 --seed 7")) {
            assertTrue(witness.contains(part), part);
        }
    }

    @Test
    void theLengthOfADayIsDrawnInAsManyColumnsAsTwoHours() {
        int day = TimelineChart.of(new SampleRun(1, 86_400, 100).file())
                .toString()
                .length();
        int twoHours =
                TimelineChart.of(new SampleRun(1, 7_200, 100).file()).toString().length();
        assertTrue(day < twoHours * 1.2, () -> day + " and " + twoHours);
    }

    @Test
    void aRunThatNobodyWatchedIsShownAllTheSame() {
        var run = new SampleRun(1, 60, 3).file();
        var unwatched = unwatched(run, run.cluster());
        var page = HtmlReport.of(new CommitRuns("abc1234", List.of(unwatched)));
        assertTrue(text(parsed(page), "h1").endsWith("INCONCLUSIVE"), "nothing was tried");
    }

    @Test
    void ofAClusterThatWasThereAlreadyNothingIsSaidThatNobodyKnows() {
        var run = new SampleRun(1, 60, 3).file();
        var ours = HtmlReport.of(new CommitRuns("abc1234", List.of(run)));
        assertTrue(ours.contains("3 StoreSvr, 3 AllocSvr, 2 routers"), "as it was made");
        assertTrue(ours.contains("100 segments, step 10,000"), "as it was made");
        var cluster = new Cluster(0, 0, 0, 0, 0, 0, 24);
        var living = HtmlReport.of(new CommitRuns("abc1234", List.of(unwatched(run, cluster))));
        assertTrue(living.contains("a cluster that was there already"), living);
        assertFalse(living.contains("0 StoreSvr"), living);
    }

    private static RunFile unwatched(RunFile run, Cluster cluster) {
        return new RunFile(
                run.commit(),
                run.begun(),
                run.seconds(),
                run.command(),
                run.machine(),
                run.network(),
                run.seed(),
                cluster,
                run.verdict(),
                run.result(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }
}
