package io.seqsvr.storesvr.raft;

import java.io.IOException;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.server.raftlog.RaftLog;

/**
 * Keeps apart what the leaders of two terms send to a follower. Ratis 3.3 looks at the term of a request when it comes,
 * and then lets its entries wait until all that came before is on the disk. Where that takes longer than an election:
 *
 * <ul>
 *   <li>a vote does not see the entries that wait, and they are acknowledged later all the same, in the term in which
 *       they came: who was the leader commits them, and whoever leads by then does not have them;
 *   <li>entries of the new leader count as the ones that wait at the same index: acknowledged, and never written.
 * </ul>
 *
 * <p>Invariant: Ratis is given entries, or a snapshot, of one term only while nothing of another one waits in it, and
 * they are acknowledged only by a member that is still in that term.
 */
final class TermsApart {
    private long term;
    private int underWay;

    /**
     * Something of a leader is to be given to Ratis.
     *
     * @param sent the leader's term
     * @throws IOException if something of another leader is not on the disk yet; the leader sends it again
     */
    synchronized void begin(long sent) throws IOException {
        if (underWay > 0 && sent != term) {
            throw new IOException("what came in term " + term + " is still being written, so nothing of term " + sent
                    + " can be: send it again");
        }
        term = sent;
        underWay++;
    }

    /** Ratis has done with it, in one way or another. */
    synchronized void end() {
        underWay--;
    }

    /**
     * What the leader is told.
     *
     * @param sent the leader's term
     * @param now the member's, read after the entries were written, and while no vote is being decided
     */
    static AppendEntriesReplyProto told(AppendEntriesReplyProto reply, long sent, long now) {
        if (reply.getResult() != AppendResult.SUCCESS || now <= sent) {
            return reply;
        }
        return reply.toBuilder()
                .setServerReply(reply.getServerReply().toBuilder().setSuccess(false))
                .setResult(AppendResult.NOT_LEADER)
                .setTerm(now)
                .setMatchIndex(RaftLog.INVALID_LOG_INDEX)
                .build();
    }
}
