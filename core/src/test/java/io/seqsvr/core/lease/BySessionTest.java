package io.seqsvr.core.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class BySessionTest {
    private final BySession<String> kept = new BySession<>();

    @Test
    void whatWasPutIsFoundAndNothingElseIs() {
        kept.put(7, "seven");
        assertEquals("seven", kept.get(7));
        assertNull(kept.get(6));
        assertNull(kept.get(8));
    }

    @Test
    void theLastValueOfASessionCounts() {
        kept.put(7, "seven");
        kept.put(7, "another");
        assertEquals(List.of("another"), kept.values());
    }

    @Test
    void valuesComeInTheOrderOfTheirSessionsAndNotOfTheirComing() {
        for (long session : new long[] {5, Long.MAX_VALUE, 1, 3, Long.MIN_VALUE}) {
            kept.put(session, "of " + session);
        }
        assertEquals(List.of("of " + Long.MIN_VALUE, "of 1", "of 3", "of 5", "of " + Long.MAX_VALUE), kept.values());
    }

    @Test
    void aSessionThatWasRemovedIsGone() {
        kept.put(1, "one");
        kept.put(2, "two");
        kept.remove(1);
        kept.remove(3);
        assertNull(kept.get(1));
        assertEquals(List.of("two"), kept.values());
        kept.clear();
        assertNull(kept.get(2));
        assertEquals(List.of(), kept.values());
    }

    @Test
    void aViewOfTheValuesShowsWhatChangesAndChangesNothing() {
        var values = kept.values();
        kept.put(1, "one");
        assertEquals(List.of("one"), values);
        assertThrows(UnsupportedOperationException.class, () -> values.remove(0));
        assertThrows(IndexOutOfBoundsException.class, () -> values.get(1));
    }

    @Test
    void aCopyGoesItsOwnWay() {
        kept.put(1, "one");
        var copy = new BySession<>(kept);
        kept.remove(1);
        copy.put(2, "two");
        assertEquals(List.of(), kept.values());
        assertEquals(List.of("one", "two"), copy.values());
    }

    @Test
    void itAgreesWithASortedMap() {
        var random = new SplittableRandom(1);
        for (int most : new int[] {4, 12, 300}) {
            var map = new TreeMap<Long, String>();
            kept.clear();
            for (int i = 0; i < 3_000; i++) {
                long session = random.nextInt(most);
                if (random.nextInt(3) == 0) {
                    map.remove(session);
                    kept.remove(session);
                } else {
                    map.put(session, "put " + i);
                    kept.put(session, "put " + i);
                }
                long other = random.nextInt(most);
                assertEquals(map.get(other), kept.get(other));
                assertEquals(List.copyOf(map.values()), kept.values());
            }
        }
    }
}
