package io.seqsvr.chaos.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The crowd lies between those who ask one by one, and is nobody of them. */
final class CrowdLoadTest {
    @Test
    void theCrowdLiesBetweenTheOthers() {
        var crowd = CrowdLoad.between(List.of(0L, 10_000L, 20_000L), 10_000);
        assertEquals(crowd.length, Arrays.stream(crowd).distinct().count());
        assertTrue(Arrays.stream(crowd).noneMatch(uid -> uid % 10_000 == 0));
        assertTrue(crowd.length > 9_500 && crowd.length <= 12_000, () -> crowd.length + " users");
        assertTrue(Arrays.stream(crowd).allMatch(uid -> uid > 0 && uid < 30_000));
    }

    @Test
    void whereLittleLiesBetweenThemItIsTheCrowd() {
        assertEquals(
                LongStream.of(1, 2, 4, 5).boxed().toList(),
                Arrays.stream(CrowdLoad.between(List.of(0L, 3L), 3)).boxed().toList());
    }
}
