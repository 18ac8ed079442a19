package io.seqsvr.storesvr.raft;

/** Hears when this peer leads and has applied an entry of its own term, and when it leads no longer. */
public interface LeadershipListener {
    /** This peer leads and has applied an entry of its own term. */
    void leading();

    /** This peer does not lead, or not any more. */
    void following();
}
