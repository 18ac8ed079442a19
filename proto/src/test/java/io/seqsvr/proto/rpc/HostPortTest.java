package io.seqsvr.proto.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What counts as an address, and how it is written. */
class HostPortTest {
    @Test
    void nameAndIpv4AddressReadAsTheyAreWritten() {
        assertEquals(new HostPort("alloc-1.example.org", 7721), HostPort.parse("alloc-1.example.org:7721"));
        assertEquals(new HostPort("127.0.0.1", 0), HostPort.parse("127.0.0.1:0"));
        assertEquals(new HostPort("10.0.0.7", 65_535), HostPort.parse("10.0.0.7:65535"));
    }

    @Test
    void ipv6AddressStandsInBracketsAndIsKeptWithoutThem() {
        var loopback = HostPort.parse("[::1]:7721");
        assertEquals(new HostPort("::1", 7721), loopback);
        assertEquals("[::1]:7721", loopback.toString());
        assertEquals("[::1]", loopback.socketAddress().host(), "as an authority has it");
        assertEquals(7721, loopback.socketAddress().port());
    }

    @ParameterizedTest
    @ValueSource(strings = {"alloc-1:7721", "[fe80::1]:1", "127.0.0.1:65535"})
    void whatIsWrittenReadsBackAsTheSame(String text) {
        assertEquals(text, HostPort.parse(text).toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                "localhost",
                "localhost:",
                ":7721",
                "[]:7721",
                "localhost:-1",
                "localhost:65536",
                "localhost:http",
                "localhost:99999999999",
                "localhost:7721/"
            })
    void whatIsNoAddressIsRefusedByNameAndRule(String text) {
        var wrong = assertThrows(IllegalArgumentException.class, () -> HostPort.parse(text));
        assertEquals("'" + text + "' is no HOST:PORT with a port from 0 to 65535", wrong.getMessage());
    }

    /** Without the rule the last group of the address would silently become the port. */
    @ParameterizedTest
    @ValueSource(strings = {"::1", "::1:7721", "fe80::1:7721", "http://localhost:7721", "[::1:7721"})
    void hostWithColonsButWithoutBracketsIsRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> HostPort.parse(text));
    }

    @Test
    void noHostOrNoPossiblePortIsNoAddress() {
        assertThrows(IllegalArgumentException.class, () -> new HostPort("", 1));
        assertThrows(IllegalArgumentException.class, () -> new HostPort("localhost", -1));
        assertThrows(IllegalArgumentException.class, () -> new HostPort("localhost", 65_536));
    }

    @Test
    void whereNobodyCanBeCalledIsNoReachableAddress() {
        assertEquals(Optional.of(new HostPort("alloc_1", 7721)), HostPort.reachable("alloc_1:7721"));
        assertEquals(Optional.empty(), HostPort.reachable("alloc-1:0"));
        assertEquals(Optional.empty(), HostPort.reachable("former-life"));
        assertEquals(Optional.empty(), HostPort.reachable(""));
    }
}
