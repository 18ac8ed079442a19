package io.seqsvr.node.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.proto.rpc.HostPort;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A wrong settings file is told everything at once: each time the key, the value and the rule. */
class SettingsProblemsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''         | name is missing; it must be given",
                "name:      | name is missing; it must be given",
                "name: ''   | name is empty; it must be given",
                "name: '  ' | name is empty; it must be given",
                "name: [a]  | name is '[a]'; it must be a text",
                "name: {a: b} | name is '{a=b}'; it must be a text"
            })
    void textThatIsNone(String yaml, String problem) {
        assertEquals(List.of(problem), Problems.in(yaml, file -> file.text("name")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[a]", "{a: b}"})
    void optionalTextThatIsNone(String value) {
        assertEquals(
                1,
                Problems.in("name: " + value, file -> file.optionalText("name")).size());
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "11, 11",
        "-1, -1",
        "1.5, 1.5",
        "true, true",
        "'[1]', [1]",
        "99999999999999999999, 99999999999999999999",
        "'\"5\"', '''5'''",
        "many, '''many'''"
    })
    void numberOutOfBoundsOrNone(String value, String shown) {
        assertEquals(
                List.of("count is " + shown + "; it must be a whole number from 1 to 10"),
                Problems.in("count: " + value, file -> file.number("count", 5, 1, 10)));
    }

    @Test
    void decimalThatIsNone() {
        assertEquals(
                List.of("drift is 'ten percent'; it must be a number"),
                Problems.in("drift: ten percent", file -> file.decimal("drift", 0.1)));
    }

    private enum Pace {
        SLOW,
        FAST
    }

    @ParameterizedTest
    @ValueSource(strings = {"quick", "SLOW", "", "7", "[slow]"})
    void choiceThatIsNoneOfTheWords(String value) {
        var shown = value.isEmpty() ? "''" : value;
        assertEquals(
                List.of("pace is '" + value + "'; it must be slow or fast"),
                Problems.in("pace: " + shown, file -> file.choice("pace", Pace.SLOW)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"3", "3 days", "-3s", "1.5s", "s", "3S", "3  s", "1000000000s", "[3s]"})
    void durationThatIsNone(String value) {
        assertEquals(
                List.of("ttl is '" + value + "'; it must be a time such as 500ms, 3s or 2m"),
                Problems.in("ttl: " + value, file -> file.duration("ttl", Duration.ofSeconds(9))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "localhost:", "localhost:http", "localhost:65536", "::1", "7711", ""})
    void addressThatIsNone(String value) {
        var rule = List.of("listen is '" + value + "'; it must be HOST:PORT with a port from 0 to 65535");
        var yaml = "listen: '" + value + "'";
        assertEquals(rule, Problems.in(yaml, file -> file.address("listen")));
        assertEquals(rule, Problems.in(yaml, file -> file.address("listen", new HostPort("127.0.0.1", 1))));
    }

    @Test
    void addressThatMustBeThere() {
        assertEquals(
                List.of("listen is missing; it must be given as HOST:PORT"),
                Problems.in("", file -> file.address("listen")));
        assertEquals(
                List.of("store is missing; it must be given as HOST:PORT"),
                Problems.in("", file -> file.addresses("store")));
        assertEquals(
                List.of("store is '[]'; it must be HOST:PORT with a port from 0 to 65535"),
                Problems.in("store: []", file -> file.addresses("store")));
    }

    @Test
    void eachWrongAddressOfAListIsNamed() {
        assertEquals(
                List.of(
                        "store is 'b'; it must be HOST:PORT with a port from 0 to 65535",
                        "store is 'null'; it must be HOST:PORT with a port from 0 to 65535"),
                Problems.in("store: ['a:1', b, null]", file -> file.addresses("store")));
    }

    @Test
    void sectionThatIsNone() {
        assertEquals(
                List.of("lease is '3s'; it must be a section of 'key: value' lines"),
                Problems.in("lease: 3s", file -> file.section("lease").duration("ttl", Duration.ZERO)));
        assertEquals(
                List.of("namespaces is 'messages'; it must be a list of sections"),
                Problems.in("namespaces: messages", file -> file.sections("namespaces")));
        assertEquals(
                List.of(
                        "namespaces[1] is 'contacts'; it must be a section of 'key: value' lines",
                        "namespaces[1].name is missing; it must be given"),
                Problems.in(
                        "namespaces: [{name: messages}, contacts]",
                        file -> file.sections("namespaces").forEach(one -> one.text("name"))));
    }

    @Test
    void everythingIsToldAtOnceWithTheFileInFront() {
        var problems = Problems.of(() -> {
            var file = SettingsReader.ofText("node.yaml", "count: 0\nlease: {ttl: soon}\nextra: 1\n");
            file.text("name");
            file.number("count", 5, 1, 10);
            file.section("lease").duration("ttl", Duration.ZERO);
            file.problem("renew_every is 2 s; it must be at most a third of ttl");
            file.finish();
        });
        assertEquals(
                List.of(
                        "name is missing; it must be given",
                        "count is 0; it must be a whole number from 1 to 10",
                        "lease.ttl is 'soon'; it must be a time such as 500ms, 3s or 2m",
                        "renew_every is 2 s; it must be at most a third of ttl",
                        "extra is no setting; known here are count, lease, name"),
                problems.problems());
        assertEquals("node.yaml: " + String.join("; ", problems.problems()), problems.getMessage());
    }

    @Test
    void brokenRelationInASectionNamesTheSection() {
        assertEquals(
                List.of("in namespaces[0]: step is 5; it must be at least 10"),
                Problems.in(
                        "namespaces: [{step: 5}]",
                        file -> file.sections("namespaces").forEach(one -> {
                            one.number("step", 5, 1, 99);
                            one.problem("step is 5; it must be at least 10");
                        })));
    }

    @Test
    void unknownKeysAreNamedWithTheKnownOnesWhereverTheyStand() {
        var yaml = """
                nmae: alloc-1
                5: five
                lease: {ttl: 3s, tll: 3s}
                namespaces:
                  - {name: messages}
                  - {name: contacts, steps: 5}
                """;
        assertEquals(
                List.of(
                        "nmae is no setting; known here are lease, name, namespaces",
                        "5 is no setting; known here are lease, name, namespaces",
                        "lease.tll is no setting; known here are drift, ttl",
                        "namespaces[1].steps is no setting; known here are name, step"),
                Problems.in(yaml, file -> {
                    file.optionalText("name");
                    var lease = file.section("lease");
                    lease.duration("ttl", Duration.ZERO);
                    lease.decimal("drift", 0.1);
                    for (var namespace : file.sections("namespaces")) {
                        namespace.text("name");
                        namespace.number("step", 5, 1, 10);
                    }
                }));
    }

    @Test
    void keyThatStandsTwiceIsRefused() {
        var problem = Problems.in("name: a\ncount: 1\nname: b\n", file -> {});
        assertEquals(1, problem.size());
        assertTrue(problem.get(0).startsWith("no valid YAML: "), problem::toString);
        assertTrue(problem.get(0).contains("name"), problem::toString);
        assertEquals(1, Problems.in("lease: {ttl: 3s, ttl: 4s}", file -> {}).size());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"name: alloc-1\ncount: [1, 2\n", "name: alloc-1\n\tcount: 1\n", "name: alloc-1\n count: 1\n"})
    void brokenYamlIsToldWithItsLine(String yaml) {
        var problem = Problems.in(yaml, file -> {});
        assertEquals(1, problem.size());
        assertTrue(problem.get(0).startsWith("no valid YAML: "), problem::toString);
        assertTrue(problem.get(0).matches(".*line [23], column \\d+.*"), problem::toString);
        assertTrue(problem.get(0).indexOf('\n') < 0, problem::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"just a text", "- a\n- b\n", "5"})
    void yamlThatIsNoMappingIsRefused(String yaml) {
        assertEquals(List.of("the file holds no 'key: value' lines"), Problems.in(yaml, file -> {}));
    }

    @Test
    void twoDocumentsAreRefused() {
        assertTrue(Problems.in("name: a\n---\nname: b\n", file -> {}).get(0).startsWith("no valid YAML: "));
    }
}
