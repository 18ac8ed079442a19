package io.seqsvr.chaos.check;

import java.util.Optional;

/**
 * The {@link OnlineChecker} of a simulator: the same rules, as exact and bounded in the same way, for one thread and
 * for users that are numbered from 0. It takes no lock, boxes nothing, and allocates only while its arrays grow and for
 * a breach.
 */
public final class LeanChecker {
    private final OnlineUser[] users;

    /**
     * A checker that has seen nothing.
     *
     * @param users how many users there are
     * @param limit how many ranges of a user are remembered at most, and how many readings; at least 1
     */
    public LeanChecker(int users, int limit) {
        this.users = new OnlineUser[users];
        for (int user = 0; user < users; user++) {
            this.users[user] = new OnlineUser(user, limit);
        }
    }

    /**
     * A request is about to be sent. At most one of {@link #end}, {@link #told} and {@link #abandon} may follow.
     *
     * @return the floor, as {@link OnlineChecker#begin} gives it
     */
    public long begin(int user) {
        return users[user].begin();
    }

    /** The greatest sequence that a reply has shown: what a request sent now must be above. */
    public long floor(int user) {
        return users[user].floor();
    }

    /** Its reply with sequences has been received: as {@link OnlineChecker#end}. */
    public Optional<Breach> end(int user, long floorAtBegin, long first, long last) {
        return users[user].end(floorAtBegin, first, last);
    }

    /** Its reply with the last sequence has been received: as {@link OnlineChecker#told}. */
    public Optional<Breach> told(int user, long floorAtBegin, long seq, boolean exact) {
        return users[user].told(floorAtBegin, seq, exact);
    }

    /** It was refused, or no reply can come any more: as {@link OnlineChecker#abandon}. */
    public void abandon(int user, long floorAtBegin) {
        users[user].abandon(floorAtBegin);
    }

    /** How many replies were compared with a part only of what they could collide with; 0: all was judged exactly. */
    public long unjudged() {
        long sum = 0;
        for (OnlineUser user : users) {
            sum += user.unjudged();
        }
        return sum;
    }
}
