package io.seqsvr.chaos.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class NetworkTest {
    private static final int MACHINES = 3;
    private static final int MANY = 20_000;
    /** More than any message takes that arrives at all. */
    private static final long LONG = 20 * Nanos.SECOND;

    private final Agenda agenda = new Agenda();

    private Network network(Mix mix) {
        return new Network(agenda, new SplittableRandom(1), mix, MACHINES);
    }

    private interface Way {
        void go(int from, int to, Runnable arrival);
    }

    /** Sends messages a millisecond apart; the numbers of those that arrived, in the order of their arrival. */
    private List<Integer> arrivals(Way way) {
        var arrived = new ArrayList<Integer>();
        for (int i = 0; i < MANY; i++) {
            int number = i;
            way.go(0, 1, () -> arrived.add(number));
            agenda.runUntil(agenda.now() + Nanos.MILLI);
        }
        agenda.runUntil(agenda.now() + LONG);
        return arrived;
    }

    private static Map<Integer, Integer> counted(List<Integer> arrived) {
        var counts = new HashMap<Integer, Integer>();
        arrived.forEach(each -> counts.merge(each, 1, Integer::sum));
        return counts;
    }

    private static double partOfAll(long some) {
        return (double) some / MANY;
    }

    private static double part(int ofWhole) {
        return (double) ofWhole / Mix.WHOLE;
    }

    @Test
    void inACalmNetworkEverythingArrivesOnceAndInOrder() {
        var network = network(Mixes.calm());
        assertEquals(IntStream.range(0, MANY).boxed().toList(), arrivals(network::send));
        assertEquals(IntStream.range(0, MANY).boxed().toList(), arrivals(network::call));
    }

    @Test
    void nothingArrivesAtTheMomentAtWhichItIsSent() {
        var arrived = new ArrayList<Long>();
        network(Mixes.calm()).send(0, 1, () -> arrived.add(agenda.now()));
        agenda.runUntil(LONG);
        assertEquals(1, arrived.size());
        assertTrue(arrived.get(0) > 0, arrived::toString);
    }

    @Test
    void messagesAreLostDoubledAndOvertakenAsOftenAsTheMixSays() {
        var mix = Mixes.rough();
        var arrived = arrivals(network(mix)::send);
        var counts = counted(arrived);
        assertEquals(part(mix.loss()), partOfAll(MANY - counts.size()), 0.01);
        assertEquals(
                part(mix.duplication()),
                partOfAll(counts.values().stream().filter(count -> count == 2).count()),
                0.01);
        assertTrue(counts.values().stream().allMatch(count -> count <= 2), "more than doubled");
        assertTrue(overtakings(arrived) > MANY / 100, () -> overtakings(arrived) + " overtakings");
    }

    private static long overtakings(List<Integer> arrived) {
        return IntStream.range(1, arrived.size())
                .filter(i -> arrived.get(i) < arrived.get(i - 1))
                .count();
    }

    @Test
    void theMessagesOfACallAreLostAndOvertakenAndNeverDoubled() {
        var mix = Mixes.rough();
        var arrived = arrivals(network(mix)::call);
        var counts = counted(arrived);
        assertEquals(part(mix.loss()), partOfAll(MANY - counts.size()), 0.01);
        assertTrue(counts.values().stream().allMatch(count -> count == 1), "doubled");
        assertTrue(overtakings(arrived) > MANY / 100, () -> overtakings(arrived) + " overtakings");
    }

    @Test
    void aLinkIsCutInOneDirectionAndForItsTimeOnly() {
        var network = network(Mixes.calm());
        network.cut(0, 1, Nanos.SECOND);
        var arrived = new ArrayList<String>();
        network.send(0, 1, () -> arrived.add("a message over the cut link"));
        network.call(0, 1, () -> arrived.add("a call over the cut link"));
        network.send(1, 0, () -> arrived.add("back"));
        network.call(0, 2, () -> arrived.add("elsewhere"));
        network.call(2, 1, () -> arrived.add("from elsewhere"));
        agenda.runUntil(Nanos.SECOND);
        assertEquals(
                List.of("back", "elsewhere", "from elsewhere"),
                arrived.stream().sorted().toList());
        network.send(0, 1, () -> arrived.add("after"));
        agenda.runUntil(2 * Nanos.SECOND);
        assertTrue(arrived.contains("after"), arrived::toString);
    }

    @Test
    void aSecondCutMayMakeTheFirstLongerAndNeverShorter() {
        var network = network(Mixes.calm());
        network.cut(0, 1, 2 * Nanos.SECOND);
        network.cut(0, 1, Nanos.SECOND);
        var arrived = new ArrayList<String>();
        agenda.runUntil(Nanos.SECOND);
        network.send(0, 1, () -> arrived.add("too early"));
        agenda.runUntil(2 * Nanos.SECOND);
        network.send(0, 1, () -> arrived.add("after"));
        agenda.runUntil(LONG);
        assertEquals(List.of("after"), arrived);
    }

    @Test
    void whatWasOnItsWayWhenALinkWasCutArrives() {
        var network = network(Mixes.calm());
        var arrived = new ArrayList<String>();
        network.send(0, 1, () -> arrived.add("before"));
        network.cut(0, 1, Nanos.SECOND);
        agenda.runUntil(LONG);
        assertEquals(List.of("before"), arrived);
    }

    @Test
    void aHealedNetworkIsWholeAndLosesNothing() {
        var network = network(Mixes.rough());
        network.cut(0, 1, Nanos.HOUR);
        network.heal();
        assertEquals(IntStream.range(0, MANY).boxed().toList(), arrivals(network::send));
        assertEquals(IntStream.range(0, MANY).boxed().toList(), arrivals(network::call));
    }
}
