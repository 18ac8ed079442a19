package io.seqsvr.core.alloc;

import io.seqsvr.core.session.Outbox;
import io.seqsvr.core.session.RoleEvent;
import io.seqsvr.core.store.StoreCommand;

/** An allocator's effects: commands, messages to other allocators, requests that go on, and what to tell. */
final class AllocatorOutbox extends Outbox<AllocatorEffect> {
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

    void resume(long ticket, Step step) {
        add(new AllocatorEffect.Resume(ticket, step));
    }
}
