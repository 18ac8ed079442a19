package io.seqsvr.storesvr.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.seqsvr.proto.internal.v1.Reply;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** What a submitted command's failure says to people. */
class RaftMemberTest {
    @Test
    void aFailureIsASentenceAndNoNameOfWhatItWasWrappedIn() {
        var entry = new CompletableFuture<String>();
        CompletableFuture<Reply> wrapped = entry.thenApply(String::trim).thenApply(done -> Reply.getDefaultInstance());
        entry.completeExceptionally(new IllegalStateException("the peer is not the leader"));
        var failure = assertThrows(
                ExecutionException.class, () -> RaftMember.told(wrapped).get());
        assertEquals(
                "the peer is not the leader",
                failure.getCause() == null ? "" : failure.getCause().getMessage());
    }

    @Test
    void aReplyIsPassedOn() throws ExecutionException, InterruptedException {
        var reply = Reply.getDefaultInstance();
        assertEquals(
                reply, RaftMember.told(CompletableFuture.completedFuture(reply)).get());
    }
}
