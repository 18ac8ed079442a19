package io.seqsvr.chaos.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** A recorded history played to the online checker, event after event. */
final class Replay {
    private Replay() {}

    /** Draws times apart that tie; among equal ones an invocation comes first, so that concurrent stays concurrent. */
    static RandomHistory withoutTies(RandomHistory history) {
        int apart = 2 * history.answered().size() + 1;
        var answered = new ArrayList<Operation.Next>();
        for (Operation.Next next : history.answered()) {
            int place = answered.size();
            answered.add(new Operation.Next(
                    next.uid(),
                    next.first(),
                    next.last(),
                    next.epoch(),
                    next.invoked() * apart + place,
                    next.returned() * apart + history.answered().size() + place));
        }
        return new RandomHistory(answered, history.unknown());
    }

    /** The first breach that the online checker finds; unknown operations begin before all others and end last. */
    static Optional<OnlineChecker.Breach> online(RandomHistory history) {
        var checker = new OnlineChecker();
        long uid = history.answered().get(0).uid();
        var abandoned =
                history.unknown().stream().map(any -> checker.begin(uid)).toList();
        var floors = new TreeMap<Long, Long>();
        var breaches = new ArrayList<OnlineChecker.Breach>();
        for (Event event : events(history.answered())) {
            var next = event.operation;
            if (event.invocation) {
                floors.put(next.invoked(), checker.begin(uid));
            } else {
                checker.end(uid, floors.getOrDefault(next.invoked(), -1L), next.first(), next.last())
                        .ifPresent(breaches::add);
            }
        }
        abandoned.forEach(floor -> checker.abandon(uid, floor));
        assertEquals(0, checker.remembered(uid), "ranges are remembered when nothing is under way");
        return breaches.stream().findFirst();
    }

    private static List<Event> events(List<Operation.Next> operations) {
        var events = new ArrayList<Event>();
        for (Operation.Next next : operations) {
            events.add(new Event(next.invoked(), true, next));
            events.add(new Event(next.returned(), false, next));
        }
        events.sort(Comparator.comparingLong(Event::tick));
        return events;
    }

    private record Event(long tick, boolean invocation, Operation.Next operation) {}
}
