package io.seqsvr.chaos.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EndpointTest {
    @Test
    void aNameAnAddressAndAnIpv6AddressAreHosts() {
        assertEquals(new Endpoint("localhost", 1), Endpoint.parse("localhost:1"));
        assertEquals(new Endpoint("127.0.0.1", 65_535), Endpoint.parse("127.0.0.1:65535"));
        assertEquals("[::1]:4711", Endpoint.parse("[::1]:4711").toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "localhost", ":1", "localhost:", "localhost:x", "localhost:0", "localhost:65536"})
    void whatIsNoEndpointIsRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> Endpoint.parse(text));
    }
}
