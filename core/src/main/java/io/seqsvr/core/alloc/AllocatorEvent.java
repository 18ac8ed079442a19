package io.seqsvr.core.alloc;

import io.seqsvr.core.session.RoleEvent;

/** A change of an allocator's state that an operator wants to read. */
public sealed interface AllocatorEvent extends RoleEvent {
    /**
     * Neighbouring segments are served from now on.
     *
     * @param session their owner
     * @param namespaceId their namespace
     * @param first index of the first
     * @param last index of the last
     * @param epoch their epoch
     * @param version version of the assignment
     * @param began where their counters stood
     */
    record SegmentsLoaded(long session, int namespaceId, int first, int last, long epoch, long version, Beginning began)
            implements AllocatorEvent {}

    /**
     * A segment is served no longer.
     *
     * @param session its former owner
     * @param namespaceId its namespace
     * @param segment its index
     * @param epoch the epoch that is over
     */
    record SegmentDropped(long session, int namespaceId, int segment, long epoch) implements AllocatorEvent {}

    /**
     * Neighbouring segments were given back or handed over.
     *
     * @param session the session
     * @param namespaceId their namespace
     * @param first index of the first
     * @param last index of the last
     * @param epoch the epoch that ended
     * @param high the greatest sequence taken in any of them
     */
    record SegmentsReleased(long session, int namespaceId, int first, int last, long epoch, long high)
            implements AllocatorEvent {}

    /**
     * A segment was given back without its exact counters: its users go on above its {@code high}, with a gap.
     *
     * @param session the session
     * @param namespaceId its namespace
     * @param segment its index
     * @param epoch the epoch that ended
     * @param users how many of its users were served
     */
    record CountersNotStored(long session, int namespaceId, int segment, long epoch, int users)
            implements AllocatorEvent {}
}
