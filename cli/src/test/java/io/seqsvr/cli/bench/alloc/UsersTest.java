package io.seqsvr.cli.bench.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Users are drawn as often as their skew wants it. */
final class UsersTest {
    private static final int ALL = 1_000;
    private static final int DRAWS = 1_000_000;
    private static final long SEED = 11;

    @ParameterizedTest
    @EnumSource
    void everyUserIsDrawnAsOftenAsItsWeightSays(Skew skew) {
        // Those of one of two connections.
        var uids = IntStream.range(0, ALL).filter(uid -> uid % 2 == 1).toArray();
        var users = new Users(uids, skew, ALL, new SplittableRandom(SEED));
        assertEquals(uids.length, users.size());
        double sum =
                IntStream.of(uids).mapToDouble(uid -> skew.weight(uid, ALL)).sum();
        assertEquals(sum, users.weight(), 1e-9 * sum);
        var drawn = new int[ALL];
        for (int i = 0; i < DRAWS; i++) {
            drawn[(int) users.uid(users.draw())]++;
        }
        for (int uid = 0; uid < ALL; uid++) {
            double expected = uid % 2 == 1 ? DRAWS * skew.weight(uid, ALL) / sum : 0;
            // Six deviations: one of 500 users is beyond that in one of a million seeds.
            assertEquals(expected, drawn[uid], 6 * Math.sqrt(expected) + 1e-9, skew + ", user " + uid);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theBusiestUserOfASkewIsFarBusierThanMost(Skew skew) {
        var weights = IntStream.range(0, ALL)
                .mapToDouble(uid -> skew.weight(uid, ALL))
                .sorted()
                .toArray();
        double ratio = weights[ALL - 1] / weights[ALL / 2];
        assertTrue(skew == Skew.UNIFORM ? ratio == 1 : ratio > 100, skew + ": " + ratio);
    }
}
