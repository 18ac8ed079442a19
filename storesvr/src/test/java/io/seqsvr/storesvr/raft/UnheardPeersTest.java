package io.seqsvr.storesvr.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** When connections to peers that are not heard of are given up. */
class UnheardPeersTest {
    private static final long SECOND = 1_000_000_000;
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final UnheardPeers unheard = new UnheardPeers();

    private List<String> givenUp(double seconds, String... peers) {
        var patience = List.of(peers).stream().collect(Collectors.toMap(peer -> peer, peer -> PATIENCE));
        return unheard.toGiveUp((long) (seconds * SECOND), patience).stream()
                .sorted()
                .toList();
    }

    @Test
    void aPeerThatIsNotHeardForThePatienceOfItIsGivenUp() {
        assertEquals(List.of(), givenUp(10, "b", "c"));
        assertEquals(List.of(), givenUp(11.9, "b", "c"));
        assertEquals(List.of("b", "c"), givenUp(12, "b", "c"));
    }

    @Test
    void itIsGivenUpAgainAfterTheSamePatience() {
        givenUp(10, "b");
        assertEquals(List.of("b"), givenUp(12, "b"));
        assertEquals(List.of(), givenUp(12.1, "b"));
        assertEquals(List.of(), givenUp(13.9, "b"));
        assertEquals(List.of("b"), givenUp(14, "b"));
    }

    @Test
    void whoWasHeardMeanwhileIsBorneWithAnew() {
        givenUp(10, "b", "c");
        assertEquals(List.of(), givenUp(11, "c"));
        assertEquals(List.of("c"), givenUp(12, "b", "c"));
        assertEquals(List.of("b"), givenUp(14, "b"));
    }

    @Test
    void eachPeerHasItsOwnPatience() {
        var unlike = Map.of("b", Duration.ofSeconds(1), "c", Duration.ofSeconds(30));
        unheard.toGiveUp(0, unlike);
        assertEquals(List.of("b"), unheard.toGiveUp(29 * SECOND, unlike));
        assertEquals(
                List.of("b", "c"),
                unheard.toGiveUp(30 * SECOND, unlike).stream().sorted().toList());
    }
}
