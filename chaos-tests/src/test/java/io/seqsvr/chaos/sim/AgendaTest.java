package io.seqsvr.chaos.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class AgendaTest {
    private static final FreshSeeds FRESH = FreshSeeds.announcedFor(AgendaTest.class);

    private final Agenda agenda = new Agenda();
    private final List<String> happened = new ArrayList<>();

    private Runnable happens(String what) {
        return () -> happened.add(what + " at " + agenda.now());
    }

    @Test
    void whatIsDueEarlierHappensFirst() {
        agenda.at(30, happens("third"));
        agenda.at(10, happens("first"));
        agenda.after(20, happens("second"));
        agenda.runUntil(100);
        assertEquals(List.of("first at 10", "second at 20", "third at 30"), happened);
    }

    @Test
    void whatIsDueTogetherHappensInTheOrderInWhichItWasPutDown() {
        for (int i = 0; i < 50; i++) {
            agenda.at(i % 2, happens(i % 2 + "-" + i));
        }
        agenda.runUntil(1);
        var expected = new ArrayList<String>();
        for (int i = 0; i < 50; i += 2) {
            expected.add("0-" + i + " at 0");
        }
        for (int i = 1; i < 50; i += 2) {
            expected.add("1-" + i + " at 1");
        }
        assertEquals(expected, happened);
    }

    @Test
    void timeStandsWhereItWasToldToEndAndNothingLaterHappened() {
        agenda.at(10, happens("in time"));
        agenda.at(11, happens("too late"));
        agenda.runUntil(10);
        assertEquals(10, agenda.now());
        assertEquals(List.of("in time at 10"), happened);
        agenda.runUntil(50);
        assertEquals(50, agenda.now());
        assertEquals(List.of("in time at 10", "too late at 11"), happened);
    }

    @Test
    void anActionForThePastHappensNextAndTimeDoesNotGoBack() {
        agenda.runUntil(40);
        agenda.at(41, happens("later"));
        agenda.at(5, happens("for the past"));
        agenda.runUntil(41);
        assertEquals(List.of("for the past at 40", "later at 41"), happened);
    }

    @Test
    void anActionPutDownByAnotherForTheSameMomentHappensAfterThoseThatWereThere() {
        agenda.at(10, () -> {
            happened.add("first");
            agenda.after(0, happens("child"));
        });
        agenda.at(10, happens("second"));
        agenda.runUntil(10);
        assertEquals(List.of("first", "second at 10", "child at 10"), happened);
    }

    @Test
    void itGrowsWithWhatIsPutDown() {
        int many = 10_000;
        for (int i = many; i > 0; i--) {
            agenda.at(i, happens(""));
        }
        agenda.runUntil(many);
        assertEquals(many, happened.size());
        assertEquals(" at 1", happened.get(0));
        assertEquals(" at " + many, happened.get(many - 1));
    }

    @Test
    void itAgreesWithAPriorityQueue() {
        for (long seed = FRESH.first(); seed < FRESH.first() + 200; seed++) {
            agreesWithAPriorityQueue(new SplittableRandom(seed));
        }
    }

    private record Entry(long time, int order) {}

    private static void agreesWithAPriorityQueue(SplittableRandom random) {
        var agenda = new Agenda();
        var queue =
                new PriorityQueue<Entry>(Comparator.comparingLong(Entry::time).thenComparingInt(Entry::order));
        var seen = new ArrayList<Entry>();
        var expected = new ArrayList<Entry>();
        int moments = 1 + random.nextInt(1_000);
        // From a few at once to many hundreds.
        int piled = 1 + random.nextInt(500);
        for (int order = 0; order < 2_000; order++) {
            if (random.nextInt(piled) == 0) {
                agenda.runUntil(agenda.now() + random.nextInt(moments));
                while (!queue.isEmpty() && queue.peek().time() <= agenda.now()) {
                    expected.add(queue.remove());
                }
            }
            var entry = new Entry(agenda.now() + random.nextInt(moments), order);
            queue.add(entry);
            agenda.at(entry.time(), () -> {
                assertEquals(entry.time(), agenda.now(), FRESH.replay());
                seen.add(entry);
            });
        }
        agenda.runUntil(Long.MAX_VALUE);
        while (!queue.isEmpty()) {
            expected.add(queue.remove());
        }
        assertEquals(expected, seen, FRESH::replay);
    }
}
