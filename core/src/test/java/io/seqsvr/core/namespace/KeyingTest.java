package io.seqsvr.core.namespace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which counter belongs to a uid: fixed for ever, so the vectors below were computed with other arithmetic. */
class KeyingTest {
    private static final long MOST = Long.MAX_VALUE;

    private static Namespace hashed(long capacity, int segmentSize) {
        return new Namespace(1, "messages", capacity, segmentSize, Keying.HASHED, Order.LEASE, 100, 10, 1_000, MOST);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0, 0, 0, 0",
        "1, 7, 704, 46167, 3025583356, 70444852025",
        "2, 2, 229, 15039, 985606688, 22947943964",
        "3, 0, 44, 2897, 189891013, 4421244678",
        "42, 5, 504, 33032, 2164816224, 50403555495",
        "1000, 6, 683, 44800, 2936024081, 68359637662",
        "2147483648, 8, 889, 58303, 3820931615, 88962996741",
        "4294967296, 7, 727, 47675, 3124403734, 72745693243",
        "9007199254740992, 0, 45, 2964, 194310287, 4524138935",
        "9223372036854775807, 6, 670, 43961, 2881043952, 67079531789",
        "-9223372036854775808, 5, 560, 36728, 2407008272, 56042528540",
        "-2, 2, 228, 14981, 981832584, 22860071259",
        "-1, 3, 393, 25781, 1689612811, 39339363837",
        "81985529216486895, 5, 530, 34764, 2278292478, 53045630420",
        "-81985529216486896, 0, 15, 1003, 65792972, 1531862004",
    })
    void hashedKeysHaveTheseIndexesForEver(long uid, long of10, long of1000, long of65537, long of2To32, long of1E11) {
        assertEquals(of10, Keying.HASHED.index(uid, 10));
        assertEquals(of1000, Keying.HASHED.index(uid, 1_000));
        assertEquals(of65537, Keying.HASHED.index(uid, 65_537));
        assertEquals(of2To32, Keying.HASHED.index(uid, 1L << 32));
        assertEquals(of1E11, Keying.HASHED.index(uid, 100_000_000_000L));
        assertEquals(0, Keying.HASHED.index(uid, 1));
    }

    @Test
    void theMixerIsThatOfMurmurHash3() {
        assertEquals(0, Keying.mix(0));
        assertEquals(0xb456bcfc34c2cb2cL, Keying.mix(1));
    }

    @Test
    void everyHashedKeyHasAPlaceInTheNamespace() {
        Seed.announcedFor(KeyingTest.class).run(random -> {
            for (int round = 0; round < 200_000; round++) {
                long capacity = 1 + (random.nextLong(MOST) >>> random.nextInt(63)) % 100_000_000_000L;
                int segmentSize = (int) Math.max(1_000_000, capacity / 100_000);
                var namespace = hashed(capacity, segmentSize);
                long uid = random.nextLong() >> random.nextInt(64);
                assertTrue(namespace.holds(uid));
                long index = Keying.HASHED.index(uid, capacity);
                assertTrue(index >= 0 && index < capacity, uid + " of " + capacity + " at " + index);
                assertEquals(index, (long) namespace.segmentOf(uid) * segmentSize + namespace.slotOf(uid));
                assertTrue(namespace.segmentOf(uid) < namespace.segmentCount());
                assertTrue(namespace.slotOf(uid) < namespace.usersIn(namespace.segmentOf(uid)));
            }
        });
    }

    /** Keys as they come: one after the other, in steps, negative, or with the low bits all equal. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 1_000, 65_536, 1L << 32, 1L << 48, -1, -1_000})
    void keysOfAnyPatternSpreadEvenly(long step) {
        int cells = 100;
        int keys = 100_000;
        var counts = new int[cells];
        for (long i = 0; i < keys; i++) {
            counts[(int) Keying.HASHED.index(i * step, cells)]++;
        }
        double squares = 0;
        for (int count : counts) {
            squares += (count - keys / (double) cells) * (count - keys / (double) cells) / (keys / (double) cells);
        }
        assertTrue(squares < 180, "chi-square of " + squares + " with 99 degrees of freedom");
    }

    @Test
    void directKeysAreTheirOwnIndexAndEndAtTheCapacity() {
        for (long uid : new long[] {0, 1, 99, 100, 249}) {
            assertEquals(uid, Keying.DIRECT.index(uid, 250));
            assertTrue(Keying.DIRECT.holds(uid, 250));
        }
        for (long uid : new long[] {250, MOST, -1, Long.MIN_VALUE}) {
            assertFalse(Keying.DIRECT.holds(uid, 250));
        }
    }

    @Test
    void aHashedCounterTellsOneUsersLastSequenceOnlyAtZero() {
        assertTrue(hashed(100, 10).readsExactly(0));
        assertFalse(hashed(100, 10).readsExactly(1));
        assertTrue(Namespace.ofDefaults(1, "messages").readsExactly(1));
    }

    @Test
    void theOrderChangesNothingElse() {
        var namespace = hashed(100, 10);
        var altered = namespace.withOrder(Order.QUORUM);
        assertEquals(Order.QUORUM, altered.order());
        assertEquals(namespace, altered.withOrder(Order.LEASE));
        for (long uid = 0; uid < 1_000; uid++) {
            assertEquals(namespace.segmentOf(uid), altered.segmentOf(uid));
            assertEquals(namespace.slotOf(uid), altered.slotOf(uid));
        }
    }
}
