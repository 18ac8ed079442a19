package io.seqsvr.core.store;

/**
 * An allocator's registration while it is open; an ended session leaves no record.
 *
 * @param id stamp of the command that opened it
 * @param nonce drawn by the allocator for this session
 * @param name name of the allocator, borne by one open session at most
 * @param address where it serves, HOST:PORT, borne by one open session at most
 * @param renewal stamp of the last applied renewal; the opening counts as the first
 * @param assignmentVersion stamp of the last PublishRoutes that gave it segments, 0 before the first
 */
public record Session(long id, long nonce, String name, String address, long renewal, long assignmentVersion) {
    Session renewedAt(long stamp) {
        return new Session(id, nonce, name, address, stamp, assignmentVersion);
    }

    Session assignedAt(long stamp) {
        return new Session(id, nonce, name, address, renewal, stamp);
    }
}
