package io.seqsvr.chaos.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A recorded history of one user played to the online checker, event after event. */
final class Replay {
    private final OnlineUser user;
    private final List<Breach> breaches = new ArrayList<>();

    private Replay(OnlineUser user) {
        this.user = user;
    }

    /** Draws times apart that tie; among equal ones an invocation comes first, so that concurrent stays concurrent. */
    static List<Operation> withoutTies(List<Operation> history) {
        int size = history.size();
        int apart = 2 * size + 1;
        var operations = new ArrayList<Operation>();
        for (int place = 0; place < size; place++) {
            var operation = history.get(place);
            long invoked = operation.invoked() * apart + place;
            long returned = operation.returned() * apart + size + place;
            if (operation instanceof Operation.Next next) {
                operations.add(
                        new Operation.Next(next.uid(), next.first(), next.last(), next.epoch(), invoked, returned));
            } else if (operation instanceof Operation.Current current) {
                operations.add(new Operation.Current(current.uid(), current.seq(), current.exact(), invoked, returned));
            } else {
                operations.add(new Operation.Unserved(operation.uid(), invoked, false));
            }
        }
        return operations;
    }

    /** All breaches that are found. Of the operations that brought nothing some are abandoned at once, others last. */
    static List<Breach> on(OnlineUser user, List<Operation> history) {
        var replay = new Replay(user);
        replay.play(history);
        return replay.breaches;
    }

    private void play(List<Operation> history) {
        var floors = new long[history.size()];
        for (Event event : events(history)) {
            if (event.invocation) {
                floors[event.place] = user.begin();
            } else {
                end(event.operation, floors[event.place]).ifPresent(breaches::add);
            }
        }
    }

    private Optional<Breach> end(Operation operation, long floor) {
        if (operation instanceof Operation.Next next) {
            return user.end(floor, next.first(), next.last());
        }
        if (operation instanceof Operation.Current current) {
            return user.told(floor, current.seq(), current.exact());
        }
        user.abandon(floor);
        return Optional.empty();
    }

    private static List<Event> events(List<Operation> history) {
        var events = new ArrayList<Event>();
        for (int place = 0; place < history.size(); place++) {
            var operation = history.get(place);
            boolean atOnce = operation instanceof Operation.Unserved && place % 2 == 0;
            events.add(new Event(operation.invoked(), true, place, operation));
            events.add(new Event(atOnce ? operation.invoked() : operation.returned(), false, place, operation));
        }
        events.sort(Comparator.comparingLong(Event::tick));
        return events;
    }

    private record Event(long tick, boolean invocation, int place, Operation operation) {}
}
