package io.seqsvr.core.failover;

import io.seqsvr.core.session.RoleEvent;
import io.seqsvr.core.store.StoreCommand;

/** What a controller wants done. The caller takes these after each input and carries them out in order. */
public sealed interface ControllerEffect {
    /**
     * Send a command to StoreSvr, once, and tell the outcome by {@link Controller#answered} or
     * {@link Controller#unanswered}.
     *
     * @param call identifies it
     * @param command what to send
     */
    record Send(long call, StoreCommand command) implements ControllerEffect {}

    /**
     * Have an owner hand segments over to another allocator; nobody waits for its answer.
     *
     * @param order what, by whom and to whom
     */
    record Order(BalancePlan.Order order) implements ControllerEffect {}

    /** The watch shows nothing new although there is something: give up its poll and ask another peer. */
    record WatchElsewhere() implements ControllerEffect {}

    /**
     * Something changed that an operator wants to read: one line of the log.
     *
     * @param event what
     */
    record Report(RoleEvent event) implements ControllerEffect {}
}
