package io.seqsvr.core.alloc;

import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.store.StoreCommand;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The effects that wait to be drained, and the commands whose outcome is open. */
final class Outbox {
    private final Map<Long, Sent> open = new HashMap<>();
    private List<AllocatorEffect> effects = new ArrayList<>();
    private ClockReading bootSeen = new ClockReading(0, 0);
    private long lastCall;

    /** A command and the clocks before its first transmission. */
    record Sent(StoreCommand command, ClockReading at) {}

    /** A look at the clocks that includes the boot-time clock, where there is one. */
    void sawBoot(ClockReading now) {
        bootSeen = now;
    }

    /**
     * Sends a command.
     *
     * @return the stamp of its sending, with the least that the boot-time clock can show by then where it was not read:
     *     else a lease that is renewed between two ticks would not see a suspend that only this clock counts
     */
    ClockReading send(StoreCommand command, ClockReading now) {
        var sentAt = now.withBootAfter(bootSeen);
        lastCall++;
        open.put(lastCall, new Sent(command, sentAt));
        effects.add(new AllocatorEffect.Send(lastCall, command));
        return sentAt;
    }

    /** Closes a call; null if its outcome was told before. */
    @Nullable
    Sent close(long call) {
        return open.remove(call);
    }

    void tell(long to, PeerMessage message) {
        effects.add(new AllocatorEffect.Tell(to, message));
    }

    void resume(long ticket, Step step) {
        effects.add(new AllocatorEffect.Resume(ticket, step));
    }

    void report(AllocatorEvent event) {
        effects.add(new AllocatorEffect.Report(event));
    }

    /** Only where the guard is missing that gives a command one outcome. */
    void reopen(long call, Sent sent) {
        open.put(call, sent);
    }

    List<AllocatorEffect> drain() {
        if (effects.isEmpty()) {
            return List.of();
        }
        var drained = effects;
        effects = new ArrayList<>();
        return drained;
    }
}
