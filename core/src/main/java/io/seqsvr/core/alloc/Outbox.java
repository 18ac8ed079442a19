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
    private long lastCall;

    /** A command and the clocks before its first transmission. */
    record Sent(StoreCommand command, ClockReading at) {}

    void send(StoreCommand command, ClockReading now) {
        lastCall++;
        open.put(lastCall, new Sent(command, now));
        effects.add(new AllocatorEffect.Send(lastCall, command));
    }

    /** Closes a call; null if its outcome was told before. */
    @Nullable
    Sent close(long call) {
        return open.remove(call);
    }

    void resume(long ticket, Step step) {
        effects.add(new AllocatorEffect.Resume(ticket, step));
    }

    void report(AllocatorEvent event) {
        effects.add(new AllocatorEffect.Report(event));
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
