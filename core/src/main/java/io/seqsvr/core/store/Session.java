package io.seqsvr.core.store;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.lease.SessionTimers;

/**
 * A process's registration while it is open; an ended session leaves no record.
 *
 * @param id stamp of the command that opened it
 * @param kind what the process does
 * @param nonce drawn by the process for this session
 * @param name name of the process, borne by one open session at most
 * @param address where it serves, HOST:PORT, borne by one open session at most
 * @param terms of its lease, as its opening was answered; they hold for its life
 * @param renewal stamp of the last applied renewal; the opening counts as the first
 * @param assignmentVersion stamp of the last command that gave it segments, 0 before the first
 * @param expelled whether it may renew, claim and release no more, and ends when its timer runs out
 * @param leaving whether it is given nothing more because its process is about to close it
 */
public record Session(
        long id,
        SessionKind kind,
        long nonce,
        String name,
        String address,
        LeaseTerms terms,
        long renewal,
        long assignmentVersion,
        boolean expelled,
        boolean leaving) {
    /** Whether a renewal was applied: its process has heard that it is open. */
    public boolean hasRenewed() {
        return renewal != id;
    }

    Session renewedAt(long stamp) {
        return new Session(id, kind, nonce, name, address, terms, stamp, assignmentVersion, expelled, leaving);
    }

    /** Only where the guard is missing that keeps the terms of the opening. */
    Session withTerms(LeaseTerms others) {
        return new Session(id, kind, nonce, name, address, others, renewal, assignmentVersion, expelled, leaving);
    }

    Session assignedAt(long stamp) {
        return new Session(id, kind, nonce, name, address, terms, renewal, stamp, expelled, leaving);
    }

    Session expel() {
        return new Session(id, kind, nonce, name, address, terms, renewal, assignmentVersion, true, leaving);
    }

    Session leave() {
        return new Session(id, kind, nonce, name, address, terms, renewal, assignmentVersion, expelled, true);
    }

    /** What the granter's timer needs to know. */
    public SessionTimers.Granted granted() {
        return new SessionTimers.Granted(id, renewal, terms);
    }
}
