package io.seqsvr.allocsvr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.seqsvr.node.settings.SettingsException;
import io.seqsvr.node.settings.SettingsReader;
import io.seqsvr.proto.rpc.HostPort;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The settings of an AllocSvr: keys and defaults are a promise, and every mistake is told by name. */
class AllocSvrSettingsTest {
    private static AllocSvrSettings read(String yaml) throws SettingsException {
        return AllocSvrSettings.read(SettingsReader.ofText("allocsvr.yaml", yaml));
    }

    @Test
    void defaultsAreThese() throws SettingsException {
        assertEquals(
                new AllocSvrSettings(
                        "alloc-1",
                        new HostPort("127.0.0.1", 7721),
                        Optional.empty(),
                        List.of(new HostPort("127.0.0.1", 7711)),
                        Duration.ofSeconds(2),
                        10_000,
                        AllocSvrSettings.partOfHeap(50)),
                read("name: alloc-1\nstore: 127.0.0.1:7711\n"));
    }

    @Test
    void everyKeyIsRead() throws SettingsException {
        var yaml = """
                name: alloc-2
                listen: 0.0.0.0:7001
                advertise: alloc-2.example.org:7002
                store: [store-1:7711, store-2:7711, '[::1]:7711']
                store_timeout: 500ms
                max_waiting: 3
                counter_memory_percent: 20
                """;
        assertEquals(
                new AllocSvrSettings(
                        "alloc-2",
                        new HostPort("0.0.0.0", 7001),
                        Optional.of(new HostPort("alloc-2.example.org", 7002)),
                        List.of(
                                new HostPort("store-1", 7711),
                                new HostPort("store-2", 7711),
                                new HostPort("::1", 7711)),
                        Duration.ofMillis(500),
                        3,
                        AllocSvrSettings.partOfHeap(20)),
                read(yaml));
    }

    @Test
    void whatIsMissingOrUnknownIsToldAtOnce() {
        var refused = assertThrows(SettingsException.class, () -> read("lisden: a:1\n"));
        assertEquals(
                List.of(
                        "name is missing; it must be given",
                        "store is missing; it must be given as HOST:PORT",
                        "lisden is no setting; known here are advertise, counter_memory_percent, listen, max_waiting, "
                                + "name, store, store_timeout"),
                refused.problems());
    }

    @Test
    void aNameThatStoreSvrWouldRejectStopsTheStart() {
        var refused = assertThrows(SettingsException.class, () -> read("name: " + "n".repeat(256) + "\nstore: a:1\n"));
        assertEquals(List.of("name has 256 characters; it must have at most 255"), refused.problems());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "store_timeout: 99ms | store_timeout is 99 ms; it must be from 100 ms to 60 s",
                "store_timeout: 61s  | store_timeout is 61000 ms; it must be from 100 ms to 60 s",
                "listen: 0.0.0.0:1   | listen is 0.0.0.0:1, where nobody else can reach it; advertise must say where",
                "store_timeout: 3    | store_timeout is '3'; it must be a time such as 500ms, 3s or 2m",
                "max_waiting: 0      | max_waiting is 0; it must be a whole number from 1 to 1000000",
                "max_waiting: 1000001 | max_waiting is 1000001; it must be a whole number from 1 to 1000000",
                "listen: 7721        | listen is '7721'; it must be HOST:PORT with a port from 0 to 65535",
                "advertise: ''       | advertise is ''; it must be HOST:PORT with a port from 0 to 65535",
                "advertise: [a]      | advertise is '[a]'; it must be a text"
            })
    void wrongValueIsToldWithItsRule(String line, String problem) {
        var refused = assertThrows(SettingsException.class, () -> read("name: alloc-1\nstore: a:1\n" + line + "\n"));
        assertEquals(List.of(problem), refused.problems());
    }
}
