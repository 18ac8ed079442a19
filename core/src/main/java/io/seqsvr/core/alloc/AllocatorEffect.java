package io.seqsvr.core.alloc;

import io.seqsvr.core.session.RoleEvent;
import io.seqsvr.core.store.StoreCommand;

/** What an allocator wants done. The caller takes these after each input and carries them out in order. */
public sealed interface AllocatorEffect {
    /**
     * Send a command to StoreSvr, once, and tell the outcome by {@link Allocator#answered} or
     * {@link Allocator#unanswered}.
     *
     * @param call identifies it
     * @param command what to send
     */
    record Send(long call, StoreCommand command) implements AllocatorEffect {}

    /**
     * Send a message to another allocator, once; it may be lost. What it answers comes by {@link Allocator#heard}.
     *
     * @param to session of that allocator
     * @param message what to send
     */
    record Tell(long to, PeerMessage message) implements AllocatorEffect {}

    /**
     * A request that waited goes on.
     *
     * @param ticket the one of its {@link Step.Waiting}
     * @param step how far it came; never waiting again
     */
    record Resume(long ticket, Step step) implements AllocatorEffect {}

    /**
     * The last call of a frame that waited has ended: read the clocks, and {@link Allocator#release} it.
     *
     * @param frame the one that {@link Allocator#frame} returned
     */
    record FrameEnded(OpenFrame frame) implements AllocatorEffect {}

    /** The watch shows nothing new although there is something: give up its poll and ask another peer. */
    record WatchElsewhere() implements AllocatorEffect {}

    /**
     * Something changed that an operator wants to read: one line of the log.
     *
     * @param event what
     */
    record Report(RoleEvent event) implements AllocatorEffect {}
}
