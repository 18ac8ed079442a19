package io.seqsvr.chaos.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a run leaves behind is read as it was written, or not at all. */
final class RunFileTest {
    private static JsonObject json() {
        return new JsonObject(new SampleRun(5, 30, 3)
                .skips("cut-allocator", "no network namespaces")
                .comesTo(2, RoundVerdict.VIOLATED, "UNIQUE: 997 twice")
                .file()
                .toJson()
                .encode());
    }

    private static String problemOf(JsonObject json) {
        var problem = assertThrows(UnreadableRunFile.class, () -> RunFile.fromJson("some.json", json));
        return String.valueOf(problem.getMessage());
    }

    @Test
    void whatWasWrittenIsRead() {
        var written = new SampleRun(5, 30, 3)
                .skips("cut-allocator", "no network namespaces")
                .comesTo(2, RoundVerdict.VIOLATED, "UNIQUE: 997 twice")
                .file();
        var read = RunFile.fromJson("some.json", new JsonObject(written.toJson().encode()));
        assertEquals(written.toJson().encode(), read.toJson().encode());
        assertEquals(written.rounds(), read.rounds());
        assertEquals(written.timeline(), read.timeline());
        assertEquals(written.machine(), read.machine());
        assertEquals(written.cluster(), read.cluster());
        assertEquals(1, read.witnesses().size());
    }

    @Test
    void theResultIsKeptAsItIs() {
        var json = json();
        json.getJsonObject("result").put("of_a_later_build", new JsonArray(List.of(1, "two")));
        var read = RunFile.fromJson("some.json", json);
        assertEquals(
                new JsonArray(List.of(1, "two")),
                read.toJson().getJsonObject("result").getValue("of_a_later_build"));
    }

    @Test
    void ofAClusterWhoseSegmentsWereNotNotedTheRestIsRead() {
        var json = json();
        json.getJsonObject("cluster").remove("segments");
        json.getJsonObject("cluster").remove("step");
        assertEquals(
                new Cluster(3, 3, 2, 3_000, 0, 0, 24),
                RunFile.fromJson("some.json", json).cluster());
    }

    @Test
    void theNameTellsWhenAndBySeed() {
        assertEquals("20261122T114500Z-5", new SampleRun(5, 30, 3).file().name());
    }

    @Test
    void anotherFormatIsToldAsSuch() {
        var problem = problemOf(json().put("format", 3));
        assertTrue(problem.startsWith("some.json: format is 3, and this build reads 2"), problem);
        assertTrue(problem.contains("abc1234"), problem);
    }

    @Test
    void everyFieldIsNeededAndNamed() {
        for (var name : new TreeSet<>(json().fieldNames())) {
            var json = json();
            json.remove(name);
            var problem = problemOf(json);
            assertTrue(problem.startsWith("some.json: " + name + " is missing; "), problem);
            assertTrue(problem.contains("repeat the run"), problem);
        }
    }

    @Test
    void fieldsOfItsPartsAreNamedWithTheirPlace() {
        for (var list : List.of("rounds", "skipped", "timeline", "witnesses")) {
            for (var name :
                    new TreeSet<>(json().getJsonArray(list).getJsonObject(0).fieldNames())) {
                var json = json();
                json.getJsonArray(list).getJsonObject(0).remove(name);
                var problem = problemOf(json);
                assertTrue(problem.startsWith("some.json: " + list + "[0]." + name + " is missing"), problem);
            }
        }
    }

    @Test
    void whatAReportReadsOfTheResultIsNeeded() {
        for (var name : List.of("checked_online", "straddling_pairs", "missed", "longest_unavailable_ms")) {
            var json = json();
            json.getJsonObject("result").remove(name);
            assertTrue(problemOf(json).startsWith("some.json: result." + name + " is missing"), name);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "seed, 5, 'seed is 5 and must be text'",
        "seconds, '\"long\"', 'seconds is long and must be a number'",
        "begun, '\"yesterday\"', 'begun is ''yesterday'' and must be a time such as 2026-11-22T11:45:00Z'",
        "verdict, '\"fine\"', 'verdict is ''fine'' and must be one of violated, missed, inconclusive, pass'",
        "network, '\"wires\"', 'network is ''wires'' and must be one of namespaces, proxy, loopback'",
        "machine, 7, 'machine is 7 and must be an object'",
        "rounds, 7, 'rounds is 7 and must be a list'",
        "rounds, '[7]', 'rounds[0] is 7 and must be an object'",
        "format, 1.5, 'format is 1.5 and must be a whole number'",
    })
    void aValueOfAnotherKindIsNamed(String field, String value, String problem) {
        var json = new JsonObject(
                json().put(field, "@").encode().replace("\"" + field + "\":\"@\"", "\"" + field + "\":" + value));
        assertTrue(problemOf(json).startsWith("some.json: " + problem + ";"), () -> problemOf(json));
    }

    @Test
    void wordsOfARoundAreWords() {
        var json = json();
        json.getJsonArray("rounds").getJsonObject(1).put("words", new JsonArray().add(7));
        assertTrue(problemOf(json).startsWith("some.json: rounds[1].words[0] is 7 and must be text"));
        json.getJsonArray("rounds").getJsonObject(1).put("number", 5_000_000_000L);
        assertTrue(problemOf(json).startsWith("some.json: rounds[1].number is 5000000000 and must fit into 32 bits"));
    }
}
