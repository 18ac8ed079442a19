package io.seqsvr.core.store;

import java.util.List;

/**
 * What a command does.
 *
 * @param reply the answer, which tells the state after the changes
 * @param changes rows to write, in order; none for a refusal
 */
public record Decision(StoreReply reply, List<StoreChange> changes) {
    static Decision unchanged(StoreReply reply) {
        return new Decision(reply, List.of());
    }

    static Decision gone(long session) {
        return unchanged(new StoreReply.SessionGone(session));
    }

    static Decision rejected(String reason) {
        return unchanged(new StoreReply.Rejected(reason));
    }
}
