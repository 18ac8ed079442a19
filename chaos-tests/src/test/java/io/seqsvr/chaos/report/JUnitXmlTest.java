package io.seqsvr.chaos.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

/** What a CI system makes of runs. */
final class JUnitXmlTest {
    private static Element suite(SampleRun... runs) {
        var files = List.of(runs).stream().map(SampleRun::file).toList();
        var document = Parsed.document(JUnitXml.of(new CommitRuns("abc1234", files)));
        assertEquals("testsuites", document.getDocumentElement().getTagName());
        return (Element) document.getElementsByTagName("testsuite").item(0);
    }

    private static List<Element> all(Element in, String name) {
        var nodes = in.getElementsByTagName(name);
        return IntStream.range(0, nodes.getLength())
                .mapToObj(i -> (Element) nodes.item(i))
                .toList();
    }

    private static Element testcase(Element suite, String name) {
        return all(suite, "testcase").stream()
                .filter(each -> each.getAttribute("name").equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> inside(Element suite, String name) {
        return all(testcase(suite, name), "*").stream().map(Element::getTagName).toList();
    }

    @Test
    void eachCellAndEachRunIsACase() {
        var run = new SampleRun(5, 60, 4);
        var suite = suite(run);
        var cells = CellTable.of(List.of(run.file())).cells();
        assertEquals("chaos abc1234", suite.getAttribute("name"));
        assertEquals("2026-11-22T11:45:00", suite.getAttribute("timestamp"));
        assertEquals(Integer.toString(cells.size() + 1), suite.getAttribute("tests"));
        assertEquals(cells.size() + 1, all(suite, "testcase").size());
        for (var cell : cells) {
            var testcase = testcase(suite, cell.name());
            assertEquals("chaos", testcase.getAttribute("classname"));
            assertTrue(testcase.getAttribute("time").matches("\\d+\\.\\d{3}"), () -> testcase.getAttribute("time"));
            assertEquals(List.of(), inside(suite, cell.name()));
        }
        assertEquals("60.000", testcase(suite, "20261122T114500Z-5").getAttribute("time"));
    }

    @Test
    void whatIsWrongIsAFailureWithItsWords() {
        var run = new SampleRun(5, 60, 4).comesTo(2, RoundVerdict.MISSED, "a user waited 9 s");
        var suite = suite(run);
        var cell = run.file().rounds().get(1).cell();
        assertEquals(List.of("failure"), inside(suite, cell));
        var words = testcase(suite, cell).getTextContent();
        assertTrue(words.contains("seed 5, round 2") && words.contains("a user waited 9 s"), words);
        assertEquals(List.of("failure"), inside(suite, "20261122T114500Z-5"));
        assertTrue(testcase(suite, "20261122T114500Z-5").getTextContent().contains("--minutes 1 --seed 5"));
        assertEquals("2", suite.getAttribute("failures"));
    }

    @Test
    void whatProvesNothingIsNotGreen() {
        var run = new SampleRun(5, 60, 4).comesTo(2, RoundVerdict.VOID, "it did not take effect");
        var suite = suite(run);
        assertEquals(List.of("error"), inside(suite, run.file().rounds().get(1).cell()));
        assertEquals(List.of("error"), inside(suite, "20261122T114500Z-5"));
        assertEquals("2", suite.getAttribute("errors"));
    }

    @Test
    void whatWasNotTriedIsSkippedAndSaysWhy() {
        var suite = suite(new SampleRun(5, 60, 4).skips("cut-allocator", "no namespaces"));
        var skipped = all(testcase(suite, "cut-allocator"), "skipped").get(0);
        assertEquals("no namespaces", skipped.getAttribute("message"));
        assertEquals("1", suite.getAttribute("skipped"));
    }

    @Test
    void wordsOfAnyKindStayWords() {
        var evil = "]]> <b>\"it's\" & \u0000\u0007\ud800\uffff\nline two \u00fc \ud83d\ude00";
        var run =
                new SampleRun(5, 60, 4).comesTo(2, RoundVerdict.VIOLATED, evil).skips("<cut>", evil);
        var suite = suite(run);
        var kept = "]]> <b>\"it's\" & \nline two \u00fc \ud83d\ude00";
        assertTrue(testcase(suite, run.file().rounds().get(1).cell())
                .getTextContent()
                .contains(kept));
        assertEquals(kept, all(testcase(suite, "<cut>"), "skipped").get(0).getAttribute("message"));
    }
}
