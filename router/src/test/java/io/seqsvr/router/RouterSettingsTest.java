package io.seqsvr.router;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.seqsvr.node.settings.SettingsException;
import io.seqsvr.node.settings.SettingsReader;
import io.seqsvr.proto.rpc.HostPort;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The settings of a router: keys and defaults are a promise, and every mistake is told by name. */
class RouterSettingsTest {
    private static RouterSettings read(String yaml) throws SettingsException {
        return RouterSettings.read(SettingsReader.ofText("router.yaml", yaml));
    }

    @Test
    void defaultsAreThese() throws SettingsException {
        assertEquals(
                new RouterSettings(
                        Optional.empty(),
                        new HostPort("127.0.0.1", 7700),
                        Optional.empty(),
                        List.of(new HostPort("store-1", 7711)),
                        Duration.ofSeconds(2)),
                read("store: store-1:7711\n"));
    }

    @Test
    void everyKeyIsRead() throws SettingsException {
        assertEquals(
                new RouterSettings(
                        Optional.of("router-1"),
                        new HostPort("::", 80),
                        Optional.of(new HostPort("router-1.example", 8_080)),
                        List.of(new HostPort("store-1", 7711), new HostPort("store-2", 7711)),
                        Duration.ofMillis(100)),
                read("""
                        name: router-1
                        listen: '[::]:80'
                        advertise: router-1.example:8080
                        store: [store-1:7711, store-2:7711]
                        store_timeout: 100ms
                        """));
    }

    @Test
    void everyProblemIsToldAtOnce() {
        var refused = assertThrows(
                SettingsException.class, () -> read("listen: localhost\nstore_timeout: 99ms\nname: ' '\nzone: z1\n"));
        assertEquals(
                List.of(
                        "name has 1 characters, or blanks only; it must have 1 to 255 and one that is no blank",
                        "listen is 'localhost'; it must be HOST:PORT with a port from 0 to 65535",
                        "store is missing; it must be given as HOST:PORT",
                        "store_timeout is 99 ms; it must be from 100 ms to 60 s",
                        "zone is no setting; known here are advertise, listen, name, store, store_timeout"),
                refused.problems());
    }

    @Test
    void whoListensEverywhereSaysUnderWhichAddressItIsKnown() {
        var refused = assertThrows(SettingsException.class, () -> read("listen: 0.0.0.0:7700\nstore: s:1\n"));
        assertEquals(
                List.of("listen is 0.0.0.0:7700, where nobody else can reach it; advertise must say where"),
                refused.problems());
    }
}
