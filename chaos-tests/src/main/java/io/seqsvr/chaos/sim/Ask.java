package io.seqsvr.chaos.sim;

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

    String namespace() {
        return namespaceId == 1 ? "messages" : "moments";
    }
}
