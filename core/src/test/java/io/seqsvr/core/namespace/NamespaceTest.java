package io.seqsvr.core.namespace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How users fall into segments and slots, and which settings a namespace refuses. */
class NamespaceTest {
    private static final long MOST = Long.MAX_VALUE;

    private static Namespace sized(long capacity, int segmentSize) {
        return new Namespace(1, "messages", capacity, segmentSize, 10_000, 10_000, MOST);
    }

    @Test
    void defaultsAreThoseOfTheDocumentation() {
        var namespace = Namespace.ofDefaults(1, "messages");
        assertEquals(new Namespace(1, "messages", 1L << 32, 100_000, 10_000, 10_000, (1L << 63) - 1), namespace);
        assertEquals(42_950, namespace.segmentCount());
    }

    @ParameterizedTest
    @CsvSource({
        "segment_size, 0, 'from 1 to 10000000'",
        "segment_size, 10000001, 'from 1 to 10000000'",
        "capacity, 0, 'from 1 to 25000000000'",
        "capacity, -1, 'from 1 to 25000000000'",
        "capacity, 25000000001, 'from 1 to 25000000000'",
        "step, 0, 'from 1 to 9223372036854775807'",
        "step, -9223372036854775808, 'from 1 to 9223372036854775807'",
        "max_count, 0, 'from 1 to 1000000'",
        "max_count, 1000001, 'from 1 to 1000000'",
        "max_sequence, 0, 'from 1 to 9223372036854775807'",
    })
    void aProblemNamesKeyValueAndRule(String key, long value, String rule) {
        var problems = Namespace.problems(
                "messages",
                key.equals("capacity") ? value : 1_000,
                key.equals("segment_size") ? (int) value : 100_000,
                key.equals("step") ? value : 1,
                key.equals("max_count") ? (int) value : 10_000,
                key.equals("max_sequence") ? value : MOST);
        assertEquals(List.of(key + " is " + value + "; it must be " + rule), problems);
    }

    @Test
    void stepMayNotPassMaxSequence() {
        assertEquals(
                List.of("step is 101; it must be from 1 to 100"),
                Namespace.problems("messages", 100, 10, 101, 10, 100));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Messages", "7days", "-x", "a b", "ünder", "a/b", "a\n"})
    void aNameOutsideTheRuleIsNamed(String name) {
        var problems = Namespace.problems(name, 100, 10, 10, 10, MOST);
        assertEquals(1, problems.size());
        assertTrue(problems.get(0).startsWith("name is '" + name + "'"), problems.get(0));
    }

    @Test
    void aNameHasAtMost63Characters() {
        assertEquals(List.of(), Namespace.problems("a".repeat(63), 100, 10, 10, 10, MOST));
        assertEquals(
                1, Namespace.problems("a".repeat(64), 100, 10, 10, 10, MOST).size());
    }

    @Test
    void allProblemsAreToldAtOnce() {
        assertEquals(6, Namespace.problems("", 0, 0, 0, 0, 0).size());
    }

    @Test
    void aNamespaceThatBreaksARuleCannotExist() {
        var failure = assertThrows(IllegalArgumentException.class, () -> sized(0, 10));
        assertTrue(failure.toString().contains("capacity is 0"), failure.toString());
        assertThrows(IllegalArgumentException.class, () -> Namespace.ofDefaults(0, "messages"));
    }

    @Test
    void usersAtTheEdgesOfSegments() {
        var namespace = sized(250, 100);
        assertEquals(3, namespace.segmentCount());
        assertEquals(List.of(0, 0, 1, 1, 2, 2), segmentsOf(namespace, 0, 99, 100, 199, 200, 249));
        assertEquals(0, namespace.slotOf(0));
        assertEquals(99, namespace.slotOf(99));
        assertEquals(0, namespace.slotOf(100));
        assertEquals(49, namespace.slotOf(249));
    }

    private static List<Integer> segmentsOf(Namespace namespace, int... uids) {
        return Arrays.stream(uids).mapToObj(uid -> namespace.segmentOf(uid)).toList();
    }

    @Test
    void theLastSegmentHoldsTheRest() {
        assertEquals(100, sized(250, 100).usersIn(1));
        assertEquals(50, sized(250, 100).usersIn(2));
        assertEquals(100, sized(200, 100).usersIn(1));
        assertEquals(2, sized(200, 100).segmentCount());
        assertEquals(1, sized(1, 100).usersIn(0));
        assertEquals(1, sized(1, 100).segmentCount());
    }

    @Test
    void everyUserHasASlotOfItsOwn() {
        for (int capacity = 1; capacity <= 40; capacity++) {
            for (int size = 1; size <= 12; size++) {
                var namespace = sized(capacity, size);
                var places = new HashSet<SegmentId>();
                for (long uid = 0; uid < capacity; uid++) {
                    int segment = namespace.segmentOf(uid);
                    assertTrue(segment < namespace.segmentCount());
                    assertTrue(namespace.slotOf(uid) < namespace.usersIn(segment));
                    assertTrue(places.add(new SegmentId(segment + 1, namespace.slotOf(uid))));
                }
            }
        }
    }

    @Test
    void theGreatestNamespaceStillFits() {
        long capacity = (long) Namespace.MAX_SEGMENTS * Namespace.MAX_SEGMENT_SIZE;
        var namespace = sized(capacity, Namespace.MAX_SEGMENT_SIZE);
        assertEquals(250_000, namespace.segmentCount());
        assertEquals(249_999, namespace.segmentOf(capacity - 1));
        assertEquals(9_999_999, namespace.slotOf(capacity - 1));
        assertEquals(10_000_000, namespace.usersIn(249_999));
    }

    @Test
    void uidsAreUnsigned() {
        var namespace = sized(250, 100);
        assertTrue(namespace.holds(0));
        assertTrue(namespace.holds(249));
        assertFalse(namespace.holds(250));
        assertFalse(namespace.holds(-1));
        assertFalse(namespace.holds(Long.MIN_VALUE));
    }

    @Test
    void aStepNeverPassesMaxSequence() {
        var namespace = new Namespace(1, "messages", 100, 10, 10, 10, 100);
        assertEquals(10, namespace.stepAbove(0));
        assertEquals(100, namespace.stepAbove(90));
        assertEquals(100, namespace.stepAbove(91));
        assertEquals(100, namespace.stepAbove(100));
    }

    @Test
    void aStepNearTheGreatestLongDoesNotOverflow() {
        var namespace = new Namespace(1, "messages", 100, 10, 10, 10, MOST);
        assertEquals(MOST, namespace.stepAbove(MOST - 5));
        assertEquals(MOST, namespace.stepAbove(MOST - 10));
        assertEquals(MOST - 1, namespace.stepAbove(MOST - 11));
        assertEquals(MOST, namespace.stepAbove(MOST));
    }

    @Test
    void segmentsAreOrderedByNamespaceAndIndex() {
        assertTrue(new SegmentId(1, 9).compareTo(new SegmentId(2, 0)) < 0);
        assertTrue(new SegmentId(2, 9).compareTo(new SegmentId(2, 10)) < 0);
        assertEquals(0, new SegmentId(2, 9).compareTo(new SegmentId(2, 9)));
        assertEquals("2/9", new SegmentId(2, 9).toString());
    }
}
