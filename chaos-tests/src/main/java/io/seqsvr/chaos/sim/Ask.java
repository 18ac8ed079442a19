package io.seqsvr.chaos.sim;

import io.seqsvr.core.front.Call;

/**
 * What a client asks of a user's owner.
 *
 * @param verb what to do
 * @param namespaceId namespace of the user
 * @param uid the user
 * @param count how many sequences, for {@link Verb#NEXT}
 * @param bound the first sequence is not below it, or where to lift the user; 0 for none
 */
record Ask(Verb verb, int namespaceId, long uid, long count, long bound) {
    enum Verb {
        NEXT,
        CURRENT,
        RAISE_FLOOR
    }

    private String namespace() {
        return namespaceId == 1 ? "messages" : "moments";
    }

    /** The same, as a caller puts it down. */
    Call call() {
        return switch (verb) {
            case NEXT -> new Call.Next(namespace(), uid, count, bound);
            case CURRENT -> new Call.Current(namespace(), uid);
            case RAISE_FLOOR -> new Call.RaiseFloor(namespace(), uid, bound);
        };
    }
}
