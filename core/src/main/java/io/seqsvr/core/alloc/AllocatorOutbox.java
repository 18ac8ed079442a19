package io.seqsvr.core.alloc;

import io.seqsvr.core.session.Outbox;
import io.seqsvr.core.session.RoleEvent;
import io.seqsvr.core.store.StoreCommand;
import java.util.HashMap;
import java.util.Map;

/** An allocator's effects: commands, messages to other allocators, requests that go on, and what to tell. */
final class AllocatorOutbox extends Outbox<AllocatorEffect> {
    /** Calls of frames that wait, by ticket. */
    private final Map<Long, Seat> seats = new HashMap<>();

    /** A call of a frame. */
    private record Seat(OpenFrame frame, int place) {}

    @Override
    protected AllocatorEffect sending(long call, StoreCommand command) {
        return new AllocatorEffect.Send(call, command);
    }

    @Override
    protected AllocatorEffect reporting(RoleEvent event) {
        return new AllocatorEffect.Report(event);
    }

    @Override
    protected AllocatorEffect watchingElsewhere() {
        return new AllocatorEffect.WatchElsewhere();
    }

    void tell(long to, PeerMessage message) {
        add(new AllocatorEffect.Tell(to, message));
    }

    /** Who waits with this ticket is a call of a frame. */
    void seat(long ticket, OpenFrame frame, int place) {
        seats.put(ticket, new Seat(frame, place));
    }

    /** Nobody waits with this ticket any more. */
    void unseat(long ticket) {
        seats.remove(ticket);
    }

    void resume(long ticket, Step step) {
        var seat = seats.remove(ticket);
        if (seat == null) {
            add(new AllocatorEffect.Resume(ticket, step));
        } else if (seat.frame().end(seat.place(), step)) {
            add(new AllocatorEffect.FrameEnded(seat.frame()));
        }
    }
}
