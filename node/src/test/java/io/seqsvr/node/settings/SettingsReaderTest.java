package io.seqsvr.node.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.proto.rpc.HostPort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a settings file may say, and how each kind of value is read. */
class SettingsReaderTest {
    private static SettingsReader of(String yaml) throws SettingsException {
        return SettingsReader.ofText("node.yaml", yaml);
    }

    @Test
    void textIsReadAsItStands() throws SettingsException {
        var file = of("name: alloc-1\nquoted: ' a b '\nnumber: 17\nswitch: true\nswitched: no\n");
        assertEquals("alloc-1", file.text("name"));
        assertEquals(" a b ", file.text("quoted"));
        assertEquals("17", file.text("number"));
        assertEquals("true", file.text("switch"));
        assertEquals("no", file.text("switched"));
        assertEquals(Optional.of("alloc-1"), file.optionalText("name"));
        assertEquals(Optional.empty(), file.optionalText("absent"));
        file.finish();
    }

    @Test
    void numberIsReadWithinItsBoundsAndHasADefault() throws SettingsException {
        var file = of("least: 1\nmost: 9223372036854775807\n");
        assertEquals(1, file.number("least", 5, 1, 10));
        assertEquals(Long.MAX_VALUE, file.number("most", 5, 1, Long.MAX_VALUE));
        assertEquals(5, file.number("absent", 5, 1, 10));
        file.finish();
    }

    @Test
    void decimalIsReadWithAndWithoutDecimals() throws SettingsException {
        var file = of("drift: 0.25\nwhole: 2\n");
        assertEquals(0.25, file.decimal("drift", 0.1));
        assertEquals(2.0, file.decimal("whole", 0.1));
        assertEquals(0.1, file.decimal("absent", 0.1));
        file.finish();
    }

    private enum Pace {
        SLOW,
        VERY_FAST
    }

    @Test
    void choiceIsOneOfTheWordsAndHasADefault() throws SettingsException {
        var file = of("first: slow\nlast: very_fast\n");
        assertEquals(Pace.SLOW, file.choice("first", Pace.VERY_FAST));
        assertEquals(Pace.VERY_FAST, file.choice("last", Pace.SLOW));
        assertEquals(Pace.VERY_FAST, file.choice("absent", Pace.VERY_FAST));
        file.finish();
    }

    @ParameterizedTest
    @CsvSource({
        "0ms, PT0S",
        "500ms, PT0.5S",
        "3s, PT3S",
        "3 s, PT3S",
        "2m, PT2M",
        "1h, PT1H",
        "999999999ms, PT999999.999S"
    })
    void durationIsANumberWithItsUnit(String text, Duration expected) throws SettingsException {
        var file = of("ttl: " + text + "\n");
        assertEquals(expected, file.duration("ttl", Duration.ofSeconds(9)));
        assertEquals(Duration.ofSeconds(9), file.duration("absent", Duration.ofSeconds(9)));
        file.finish();
    }

    @Test
    void addressIsHostAndPortAnIpv6OneInBracketsAndQuotes() throws SettingsException {
        var file = of("name: store-1.example.org:7711\nv4: 127.0.0.1:0\nv6: '[::1]:7711'\n");
        var otherwise = new HostPort("127.0.0.1", 7700);
        assertEquals(new HostPort("store-1.example.org", 7711), file.address("name"));
        assertEquals(new HostPort("127.0.0.1", 0), file.address("v4", otherwise));
        assertEquals(new HostPort("::1", 7711), file.address("v6", otherwise));
        assertEquals(otherwise, file.address("absent", otherwise));
        file.finish();
    }

    @Test
    void addressForOthersIsOfOneMachine() throws SettingsException {
        var fine = of("here: 10.0.0.1:7712\n");
        assertEquals(new HostPort("10.0.0.1", 7712), fine.addressForOthers("here"));
        assertEquals(new HostPort("a", 1), fine.addressForOthers("absent", new HostPort("a", 1)));
        fine.finish();
        var everywhere = of("v4: 0.0.0.0:1\nv6: '[::]:2'\nadvertise: 0.0.0.0:3\n");
        everywhere.addressForOthers("v4");
        everywhere.addressForOthers("v6", new HostPort("a", 1));
        everywhere.advertise(new HostPort("0.0.0.0", 3));
        var problems = assertThrows(SettingsException.class, everywhere::finish).problems();
        assertEquals(3, problems.size(), problems::toString);
        assertTrue(problems.get(0).startsWith("v4 is 0.0.0.0:1; others are told it"), problems::toString);
        assertTrue(problems.get(1).startsWith("v6 is [::]:2; others are told it"), problems::toString);
        assertTrue(problems.get(2).startsWith("advertise is 0.0.0.0:3; others are told it"), problems::toString);
    }

    @Test
    void addressesAreOneOrAList() throws SettingsException {
        var file = of("one: a:1\nmany:\n  - a:1\n  - '[::1]:2'\n  - c:3\n");
        assertEquals(List.of(new HostPort("a", 1)), file.addresses("one"));
        assertEquals(
                List.of(new HostPort("a", 1), new HostPort("::1", 2), new HostPort("c", 3)), file.addresses("many"));
        file.finish();
    }

    @Test
    void sectionHoldsItsOwnKeysAndAnAbsentOneReadsAsEmpty() throws SettingsException {
        var file = of("lease:\n  ttl: 2s\n");
        assertEquals(Duration.ofSeconds(2), file.section("lease").duration("ttl", Duration.ZERO));
        assertEquals(7, file.section("absent").number("count", 7, 1, 9));
        file.finish();
    }

    @Test
    void listOfSectionsKeepsItsOrderAndAnAbsentOneIsEmpty() throws SettingsException {
        var file = of("namespaces:\n  - name: messages\n  - name: contacts\n    step: 5\n");
        var namespaces = file.sections("namespaces");
        assertEquals(
                List.of("messages", "contacts"),
                namespaces.stream().map(one -> one.text("name")).toList());
        assertEquals(
                List.of(10L, 5L),
                namespaces.stream().map(one -> one.number("step", 10, 1, 99)).toList());
        assertEquals(List.of(), file.sections("absent"));
        file.finish();
    }

    @ParameterizedTest
    @CsvSource({"''", "'# only a comment'", "'---'", "'{}'", "'null'"})
    void fileWithoutAnySettingIsAllDefaults(String yaml) throws SettingsException {
        var file = of(yaml);
        assertEquals(5, file.number("count", 5, 1, 10));
        assertEquals(Optional.empty(), file.optionalText("name"));
        file.finish();
    }

    @Test
    void fileOnDiskIsReadAndNamedInItsErrors(@TempDir Path directory) throws Exception {
        var path = directory.resolve("node.yaml");
        Files.writeString(path, "name: grüße\n");
        assertEquals("grüße", SettingsReader.ofFile(path).text("name"));

        var missing = directory.resolve("absent.yaml");
        var broken = Problems.of(() -> SettingsReader.ofFile(missing));
        assertEquals(List.of("the file cannot be read; it must be a readable YAML file"), broken.problems());
        assertTrue(String.valueOf(broken.getMessage()).startsWith(missing + ": "), broken::getMessage);

        Files.write(path, new byte[] {'a', ':', ' ', (byte) 0xc3, '\n'});
        assertEquals(
                1, Problems.of(() -> SettingsReader.ofFile(path)).problems().size());
    }
}
