package io.seqsvr.core.front;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a caller that is refused again and again asks another peer who the owners are. */
class PicturePatienceTest {
    private static final long MILLI = 1_000_000;

    private final PicturePatience patience = new PicturePatience();
    /** Passes the greatest long soon. */
    private long start = Long.MAX_VALUE - 500 * MILLI;

    /** At which milliseconds it is over, where the picture is outdated for so long. */
    private List<Integer> outdatedFor(int millis) {
        var over = new ArrayList<Integer>();
        for (int at = 0; at <= millis; at += 200) {
            if (patience.isOver(start + at * MILLI)) {
                over.add(at);
            }
        }
        return over;
    }

    @Test
    void aMoveThatIsShownSoonIsWaitedForWhereItIsShownFirst() {
        assertEquals(List.of(), outdatedFor(200));
        start += 1_500 * MILLI;
        assertEquals(List.of(), outdatedFor(200), "another move");
    }

    @Test
    void whatIsNotShownIsLookedForElsewhereAndMoreAndMoreSeldom() {
        assertEquals(List.of(400, 2_400, 4_400, 6_400, 10_400, 18_400), outdatedFor(24_000));
        start += 25_500 * MILLI;
        assertEquals(List.of(400, 2_400), outdatedFor(3_000), "another time");
    }
}
