package io.seqsvr.core.session;

import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.store.StoreCommand;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The effects of a role that wait to be taken, and its commands whose outcome is open.
 *
 * @param <E> the role's effects
 */
public abstract class Outbox<E> {
    /** In the order of their calls; a few. */
    private final List<Open> open = new ArrayList<>();

    private List<E> effects = new ArrayList<>();
    private ClockReading bootSeen = new ClockReading(0, 0);
    private long lastCall;

    /**
     * A command under way.
     *
     * @param command what was sent
     * @param at the clocks before its first transmission
     */
    public record Sent(StoreCommand command, ClockReading at) {}

    private record Open(long call, Sent sent) {}

    /** The effect that sends a command. */
    protected abstract E sending(long call, StoreCommand command);

    /** The effect that tells an operator of a change. */
    protected abstract E reporting(RoleEvent event);

    /** The effect that has the watch ask another peer. */
    protected abstract E watchingElsewhere();

    /** A look at the clocks that includes the boot-time clock, where there is one. */
    public final void sawBoot(ClockReading now) {
        bootSeen = now;
    }

    /**
     * Sends a command.
     *
     * @return the stamp of its sending, with the least that the boot-time clock can show by then where it was not read:
     *     else a lease that is renewed between two ticks would not see a suspend that only this clock counts
     */
    public final ClockReading send(StoreCommand command, ClockReading now) {
        var sentAt = now.withBootAfter(bootSeen);
        lastCall++;
        open.add(new Open(lastCall, new Sent(command, sentAt)));
        add(sending(lastCall, command));
        return sentAt;
    }

    /** Closes a call; null if its outcome was told before. */
    public final @Nullable Sent close(long call) {
        for (int i = 0; i < open.size(); i++) {
            if (open.get(i).call() == call) {
                return open.remove(i).sent();
            }
        }
        return null;
    }

    /** Only where the guard is missing that gives a command one outcome. */
    public final void reopen(long call, Sent sent) {
        open.add(new Open(call, sent));
    }

    /** Tells an operator. */
    public final void report(RoleEvent event) {
        add(reporting(event));
    }

    /** Has the watch ask another peer. */
    final void watchElsewhere() {
        add(watchingElsewhere());
    }

    /** Puts an effect behind those that wait. */
    protected final void add(E effect) {
        effects.add(effect);
    }

    /** Takes all effects out, oldest first. */
    public final List<E> takeEffects() {
        if (effects.isEmpty()) {
            return List.of();
        }
        var taken = effects;
        effects = new ArrayList<>();
        return taken;
    }
}
