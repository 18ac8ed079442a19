package io.seqsvr.cli.demo;

import io.seqsvr.chaos.fault.Fault;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Owners that stand still for longer than their leases, and then go on: what one says then to whoever it has owned
 * before can be heard only where calls for them wait at it at that moment.
 */
final class Wakings {
    /** Callers give up and pause together: at some moments nobody waits. */
    private static final Duration SOMEBODY_WAITS_WITHIN = Duration.ofSeconds(5);

    private final Map<Fault, String> doors;
    private final AskingUsers users;
    private final Waiting waiting;
    private final Map<Fault, Collection<Long>> owned = new HashMap<>();
    private final Map<Fault, Long> wentOnAtNanos = new HashMap<>();

    /** Of these, each by what makes it stand still and where it is asked. */
    Wakings(Map<Fault, String> doors, AskingUsers users, Waiting waiting) {
        this.doors = Map.copyOf(doors);
        this.users = users;
        this.waiting = waiting;
    }

    /** They own now whom they own before they stand still. */
    void begin() {
        doors.forEach((fault, door) -> owned.put(fault, new HashSet<>(users.usersOf(Set.of(door)))));
    }

    /** This is about to be undone; waits for a moment at which somebody would hear it, where that is to be heard. */
    void goesOn(Fault fault) {
        var door = doors.get(fault);
        if (door != null) {
            var its = owned.getOrDefault(fault, Set.of());
            var unused = waiting.until(() -> users.somebodyWaits(door, its), SOMEBODY_WAITS_WITHIN);
            wentOnAtNanos.put(fault, waiting.nanoTime());
        }
    }

    /** What was undone without anybody there who heard what the owner said then. */
    List<String> unheard() {
        return doors.entrySet().stream()
                .filter(one -> users.wokenAt(
                                wentOnAtNanos.getOrDefault(one.getKey(), waiting.nanoTime()),
                                one.getValue(),
                                owned.getOrDefault(one.getKey(), Set.of()))
                        == 0)
                .map(one -> one.getKey().name())
                .sorted()
                .toList();
    }
}
