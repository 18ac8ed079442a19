package io.seqsvr.chaos.network;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A bad link has shown itself when each of its faults has befallen a frame, and not before. */
final class LinkCountsTest {
    private static final LinkState ROUGH = LinkState.CLEAN
            .losing(1)
            .delaying(Duration.ofMillis(1), Duration.ZERO)
            .mangling(1, 1, 1);

    @Test
    void eachThingThatItDoesMustHaveHappened() {
        assertTrue(new LinkCounts(9, 1, 1, 1, 1, 1, 0).show(ROUGH));
        assertFalse(new LinkCounts(9, 0, 9, 9, 9, 9, 0).show(ROUGH), "nothing was lost");
        assertFalse(new LinkCounts(9, 9, 0, 9, 9, 9, 0).show(ROUGH), "nothing was late");
        assertFalse(new LinkCounts(9, 9, 9, 0, 9, 9, 0).show(ROUGH), "nothing came twice");
        assertFalse(new LinkCounts(9, 9, 9, 9, 0, 9, 0).show(ROUGH), "nothing was overtaken");
        assertFalse(new LinkCounts(9, 9, 9, 9, 9, 0, 0).show(ROUGH), "nothing was damaged");
        assertFalse(new LinkCounts(9, 9, 9, 9, 9, 9, 0).show(LinkState.CLEAN.resetting(1)), "nothing was reset");
    }

    @Test
    void aNarrowLinkAndOneWithSpikesDelay() {
        var narrow = LinkState.CLEAN.limitedTo(8);
        assertTrue(new LinkCounts(0, 0, 1, 0, 0, 0, 0).show(narrow));
        assertFalse(new LinkCounts(9, 9, 0, 0, 0, 0, 0).show(narrow));
        var spiky = LinkState.CLEAN.spiking(Duration.ofSeconds(2));
        assertTrue(new LinkCounts(0, 0, 1, 0, 0, 0, 0).show(spiky));
        assertFalse(new LinkCounts(9, 9, 0, 0, 0, 0, 0).show(spiky), "no spike has come yet");
    }
}
