package io.seqsvr.core.session;

/** A change of a process's session that an operator wants to read. */
public sealed interface SessionEvent extends RoleEvent {
    /**
     * A session was opened; it has no lease yet.
     *
     * @param session its id
     * @param ttlMillis its time to live
     */
    record SessionOpened(long session, long ttlMillis) implements SessionEvent {}

    /**
     * Another live session bears this process's name or address: it waits.
     *
     * @param holder that session
     * @param name its name
     * @param address its address
     * @param waitMillis until the next try
     */
    record SessionHeld(long holder, String name, String address, long waitMillis) implements SessionEvent {}

    /**
     * StoreSvr opens no session for this process: it goes on asking.
     *
     * @param reason why
     * @param waitMillis until the next try
     */
    record SessionRefused(String reason, long waitMillis) implements SessionEvent {}

    /**
     * The session is over, and what it owned is dropped.
     *
     * @param session its id
     * @param reason why
     */
    record SessionLost(long session, String reason) implements SessionEvent {}

    /**
     * Clocks that disagree dropped the lease; it comes back with the next renewal.
     *
     * @param session whose lease
     */
    record LeaseDropped(long session) implements SessionEvent {}
}
