package io.seqsvr.storesvr.peer;

import io.seqsvr.storesvr.raft.RaftPeers;
import io.seqsvr.storesvr.raft.RaftSettings;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A change of the group: one peer comes, one goes, or both at once.
 *
 * @param add the new peer
 * @param remove id of the member to go
 */
public record GroupChange(Optional<RaftPeers.Peer> add, Optional<String> remove) {
    /**
     * What the leader knows when it is asked for a change.
     *
     * @param members the group, while it does not change
     * @param answering members that are there now, the leader among them
     * @param former ids that were in the group and are not
     * @param ttlNanos how long leases last; absent before the cluster is known
     */
    public record Known(
            List<RaftPeers.Peer> members, Set<String> answering, Collection<String> former, OptionalLong ttlNanos) {}

    /** Whether nothing is left to do: the same change was made before. */
    public boolean isDone(List<RaftPeers.Peer> members) {
        return add.filter(members::contains).isPresent()
                && remove.filter(gone -> has(members, gone)).isEmpty();
    }

    /** The members after it. */
    public List<RaftPeers.Peer> after(List<RaftPeers.Peer> members) {
        return Stream.concat(members.stream().filter(member -> !remove.equals(Optional.of(member.id()))), add.stream())
                .toList();
    }

    /** Why the rules forbid it, one sentence; nothing if they allow it. */
    public Optional<String> refusal(Known known) {
        return Stream.of(additionRefused(known), removalRefused(known), sizeRefused(known))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static boolean has(List<RaftPeers.Peer> members, String id) {
        return members.stream().anyMatch(member -> member.id().equals(id));
    }

    private static String names(List<RaftPeers.Peer> members) {
        return members.stream().map(RaftPeers.Peer::id).collect(Collectors.joining(", "));
    }

    private Optional<String> removalRefused(Known known) {
        return remove.filter(gone -> !has(known.members(), gone))
                .map(gone -> gone + " is not in the group, which is " + names(known.members()));
    }

    private Optional<String> additionRefused(Known known) {
        if (add.isEmpty()) {
            return remove.isEmpty() ? Optional.of("nothing is to be changed") : Optional.empty();
        }
        var peer = add.get();
        for (var member : known.members()) {
            if (member.id().equals(peer.id())) {
                return Optional.of(peer.id() + " is in the group already, at " + member.service() + " and, for Raft, "
                        + member.raft() + "; a new peer needs an id of its own, and if it is this one, its settings"
                        + " have to say so");
            }
        }
        if (known.former().contains(peer.id())) {
            return Optional.of(peer.id() + " was in the group before; an id is never used again, choose another");
        }
        for (var member : known.members()) {
            if (member.service().equals(peer.service()) || member.raft().equals(peer.raft())) {
                return Optional.of("the address of " + peer.id() + " is that of " + member.id() + "; choose another");
            }
        }
        long least = RaftSettings.ELECTION_MOST_MILLIS * 1_000_000L;
        if (known.ttlNanos().isPresent() && known.ttlNanos().getAsLong() <= least) {
            return Optional.of("the cluster's ttl is " + known.ttlNanos().getAsLong() / 1_000_000
                    + " ms; with several peers it must be above the election time of "
                    + RaftSettings.ELECTION_MOST_MILLIS + " ms");
        }
        return Optional.empty();
    }

    private Optional<String> sizeRefused(Known known) {
        var after = after(known.members());
        if (after.isEmpty()) {
            return Optional.of("it is the last peer of the group; without it there is no store");
        }
        if (add.isPresent() && remove.isPresent() && known.members().size() < 3) {
            return Optional.of("a group of " + known.members().size() + " cannot replace a peer in one change; let the"
                    + " new one join, then remove " + remove.get());
        }
        return Optional.empty();
    }

    /** Why it cannot be made now, which may pass by itself: one sentence; nothing if it can. */
    public Optional<String> tooFewAnswer(Known known) {
        var after = after(known.members());
        // The new peer must have caught up before the change begins: it counts as there.
        long there = after.stream()
                .filter(peer ->
                        add.equals(Optional.of(peer)) || known.answering().contains(peer.id()))
                .count();
        int majority = after.size() / 2 + 1;
        if (there < majority) {
            return Optional.of("of the new group (" + names(after) + ") only " + there + " answer; it needs " + majority
                    + " to take a command. Start the others, or ask again when they answer");
        }
        return Optional.empty();
    }
}
