package io.seqsvr.core.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the parts of a namespace end. */
class StripesTest {
    private static final int MOST_SEGMENTS = 1 << 20;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 17, 100})
    void partsFollowEachOtherAndNoneIsLongerThanASixteenthOfAShareOfWhatLiesBefore(int owners) {
        for (int first = 0; first < MOST_SEGMENTS; ) {
            int end = Stripes.end(first, owners);
            long length = end - first + 1L;
            assertTrue(length >= 1);
            assertTrue(length == 1 || length * 16 * owners <= first, first + " to " + end);
            assertEquals(end, Stripes.end(end, owners), "its last one lies in it too");
            assertTrue(length <= Stripes.tolerance(first, owners), "who gets it in turn is not ahead by it");
            first = end + 1;
        }
    }

    @Test
    void partsAreTheSameForFiveOwnersAndForEight() {
        for (int segment = 0; segment < MOST_SEGMENTS; segment += 7) {
            assertEquals(Stripes.end(segment, 8), Stripes.end(segment, 5));
        }
    }

    @Test
    void aNamespaceOfEverybodyHasSomeHundredParts() {
        int parts = 0;
        for (int first = 0; first < 42_950; first = Stripes.end(first, 3) + 1) {
            parts++;
        }
        assertTrue(parts > 500 && parts < 700, "there are " + parts);
    }
}
