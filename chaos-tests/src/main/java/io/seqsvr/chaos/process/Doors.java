package io.seqsvr.chaos.process;

import java.util.List;

/** Whom the calls of a load ask. Safe for use by many threads. */
public interface Doors {
    /** All that are ever asked, at least one; always the same. */
    List<Endpoint> all();

    /**
     * The door for one call.
     *
     * @param uid whose call it is
     * @param turn which of that user's calls it is, counted by each of its loops
     * @return its place in {@link #all()}
     */
    int pick(long uid, long turn);

    /** Each user asks one after the other. */
    static Doors inTurn(List<Endpoint> endpoints) {
        var all = List.copyOf(endpoints);
        return new Doors() {
            @Override
            public List<Endpoint> all() {
                return all;
            }

            @Override
            public int pick(long uid, long turn) {
                return (int) (turn % all.size());
            }
        };
    }
}
