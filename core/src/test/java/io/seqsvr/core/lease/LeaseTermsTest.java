package io.seqsvr.core.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.Seed;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The relations between the times of a lease, all computed from ttl and drift. */
class LeaseTermsTest {
    @Test
    void defaultsAreThoseOfTheDocumentation() {
        assertEquals(3_000_000_000L, LeaseTerms.DEFAULT_TTL_NANOS);
        assertEquals(100, LeaseTerms.DEFAULT_DRIFT_PERMILLE);
    }

    @Test
    void takeOverWaitIsComputedFromTheLeaseAndNeverSetApart() {
        var terms = new LeaseTerms(3_000_000_000L, 100);
        assertTrue(terms.granterNanos() >= 3_300_000_000L);
        assertTrue(terms.granterNanos() < 3_310_000_000L);
    }

    @Test
    void relationsHoldForAllTerms() {
        Seed.announcedFor(LeaseTermsTest.class).run(random -> {
            for (int i = 0; i < 10_000; i++) {
                long ttl = random.nextLong(500_000_000L, 60_000_000_001L);
                int drift = random.nextInt(1, 1_001);
                var terms = new LeaseTerms(ttl, drift);
                assertTrue(terms.granterNanos() >= ttl * (1 + drift / 1000.0), terms.toString());
                assertTrue(terms.renewEveryNanos() * 3 <= ttl, terms.toString());
                assertTrue(terms.renewAgainNanos() * 2 <= terms.renewEveryNanos(), terms.toString());
                assertTrue(terms.renewAgainNanos() > 0, terms.toString());
            }
        });
    }

    @Test
    void problemsNameKeyAndValue() {
        assertEquals(List.of(), LeaseTerms.problems(500_000_000L, 1));
        assertEquals(List.of(), LeaseTerms.problems(60_000_000_000L, 1_000));
        assertEquals(List.of("ttl is 499 ms; it must be from 500 ms to 60 s"), LeaseTerms.problems(499_000_000L, 100));
        assertEquals(List.of("drift is 1.001; it must be from 0.001 to 1"), LeaseTerms.problems(3_000_000_000L, 1_001));
        assertEquals(2, LeaseTerms.problems(-1, 0).size());
    }

    @Test
    void termsThatBreakARuleCannotExist() {
        assertThrows(IllegalArgumentException.class, () -> new LeaseTerms(61_000_000_000L, 100));
    }
}
