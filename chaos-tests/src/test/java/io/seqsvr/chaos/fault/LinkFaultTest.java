package io.seqsvr.chaos.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.network.LinkCounts;
import io.seqsvr.chaos.network.LinkState;
import io.seqsvr.chaos.network.Links;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** When links show what they were told to do. */
final class LinkFaultTest {
    private static final List<String> OTHERS = List.of("alloc-1", "store-1", "us");

    private final Map<Links.Link, LinkCounts> counted = new HashMap<>();
    private final Map<Links.Link, LinkState> states = new HashMap<>();

    private final Links links = new Links() {
        @Override
        public List<String> others(String host) {
            throw new AssertionError("a fault is told them");
        }

        @Override
        public void add(List<Link> some, LinkState state) {
            some.forEach(link -> states.put(link, state));
        }

        @Override
        public void remove(List<Link> some, LinkState state) {
            some.forEach(states::remove);
        }

        @Override
        public LinkCounts counts(List<Link> some) {
            return some.stream()
                    .map(link -> counted.getOrDefault(link, LinkCounts.NONE))
                    .reduce(LinkCounts.NONE, LinkCounts::plus);
        }
    };

    private void lose(String from, String to) {
        counted.merge(new Links.Link(from, to), new LinkCounts(0, 1, 0, 0, 0, 0, 0), LinkCounts::plus);
    }

    @Test
    void aCutIsSeenInBothDirections() {
        lose("alloc-1", "store-1");
        lose("store-1", "alloc-1");
        var cut = LinkFault.eachWay("cut", "alloc-1", OTHERS, links, LinkState.CUT);
        cut.start();
        assertEquals(4, states.size());
        assertFalse(cut.isInEffect(), "what was lost before does not count");
        lose("alloc-1", "store-1");
        assertFalse(cut.isInEffect(), "half a cut is another fault");
        lose("us", "alloc-1");
        assertTrue(cut.isInEffect());
        cut.stop();
        assertEquals(Map.of(), states);
    }

    @Test
    void whoIsSplitFromThoseThatOnlyAnswerShowsItByWhatItSends() {
        var split = LinkFault.both("split", "alloc-1", List.of("store-1"), links, LinkState.CUT);
        split.start();
        assertEquals(2, states.size());
        assertFalse(split.isInEffect());
        lose("alloc-1", "store-1");
        assertTrue(split.isInEffect());
    }

    @Test
    void whatIsCutInOneDirectionIsSeenInThatOne() {
        var in = LinkFault.in("cut-in", "alloc-1", OTHERS, links, LinkState.CUT);
        in.start();
        lose("alloc-1", "us");
        assertFalse(in.isInEffect());
        lose("us", "alloc-1");
        assertTrue(in.isInEffect());
    }

    @Test
    void whatOnlyDisturbsIsSeenAnywhere() {
        var late = LinkState.CLEAN.delaying(Duration.ofSeconds(2), Duration.ZERO);
        var lag = LinkFault.both("lag", "alloc-1", OTHERS, links, late);
        lag.start();
        assertFalse(lag.isInEffect());
        counted.put(new Links.Link("us", "alloc-1"), new LinkCounts(1, 0, 1, 0, 0, 0, 0));
        assertTrue(lag.isInEffect());
    }
}
