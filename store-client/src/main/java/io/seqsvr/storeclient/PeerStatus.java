package io.seqsvr.storeclient;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.NamespaceDefaults;
import io.seqsvr.proto.rpc.HostPort;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What a StoreSvr peer says of itself. For display: it may be old, and nothing is decided by it.
 *
 * @param id the peer
 * @param clusterId its cluster
 * @param incarnation which life of the cluster; absent before the peer knows the cluster
 * @param leads whether it leads its group, as far as it knows
 * @param ready whether it takes commands
 * @param term its Raft term
 * @param appliedIndex index of the last entry that it applied; absent before the first
 * @param unapplied entries of its log that it has not applied: nobody has told it yet that a majority has them
 * @param leader the leader that it knows
 * @param members the members of its group, itself among them once it was admitted
 * @param lease terms of sessions that are opened from now on; absent before it knows the cluster
 * @param defaults what namespaces get that are made from now on without naming it; absent as the terms are
 * @param allocators open sessions of allocators
 * @param routers open sessions of routers
 * @param namespaces how many there are
 * @param segments how many were assigned at least once, or got a floor
 * @param waiting commands that wait for its log
 * @param watchVersion version of the view that it shows; 0 before the first
 * @param digests what its whole state amounted to at places of the log, the newest first; empty unless asked for
 */
public record PeerStatus(
        String id,
        String clusterId,
        OptionalInt incarnation,
        boolean leads,
        boolean ready,
        long term,
        OptionalLong appliedIndex,
        long unapplied,
        Optional<Member> leader,
        List<Member> members,
        Optional<LeaseTerms> lease,
        Optional<NamespaceDefaults> defaults,
        int allocators,
        int routers,
        int namespaces,
        int segments,
        Waiting waiting,
        long watchVersion,
        List<DigestAt> digests) {
    /**
     * What all rows amounted to. Two peers with different digests at one index are not replicas of each other.
     *
     * @param index every command of an entry up to this one was applied, and none after it
     * @param digest 16 hexadecimal digits
     */
    public record DigestAt(long index, String digest) {}

    /**
     * A member of the peer's group.
     *
     * @param id its id
     * @param address where it serves
     */
    public record Member(String id, HostPort address) {}

    /**
     * Commands that wait, by queue.
     *
     * @param renewals renewals that confirm nothing
     * @param confirmations renewals on which answers in QUORUM order wait
     * @param others all others
     * @param expiries ends of sessions whose timers ran out
     */
    public record Waiting(int renewals, int confirmations, int others, int expiries) {
        /** All of them. */
        public int all() {
            return renewals + confirmations + others + expiries;
        }
    }

    /** Keeps copies. */
    public PeerStatus {
        members = List.copyOf(members);
        digests = List.copyOf(digests);
    }
}
