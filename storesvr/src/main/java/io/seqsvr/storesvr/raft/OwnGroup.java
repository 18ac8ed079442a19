package io.seqsvr.storesvr.raft;

import java.util.List;
import java.util.Optional;

/** What a peer knows of its group by its own log, and from what it hears. */
public interface OwnGroup {
    /** The leader that this peer knows of. */
    Optional<RaftPeers.Peer> leader();

    /** The members, by id; while the group changes those of the old configuration and of the new one. */
    List<RaftPeers.Peer> members();

    /** The newest term of Raft that this peer knows of. */
    long term();

    /** What to say when this peer is in the group no more. */
    String takenOut();
}
