package io.seqsvr.storesvr.expiry;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.seqsvr.proto.internal.v1.Command;
import io.seqsvr.proto.internal.v1.Reply;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** A Raft log by hand: the test sees what is proposed, and decides what becomes of it. */
final class FakeLog implements Function<Command, CompletableFuture<Reply>> {
    private static final long DEADLINE_SECONDS = 10;

    private final BlockingQueue<Proposal> proposals = new LinkedBlockingQueue<>();

    /** One command and the answer that it waits for. */
    record Proposal(Command command, CompletableFuture<Reply> reply) {}

    @Override
    public CompletableFuture<Reply> apply(Command command) {
        var reply = new CompletableFuture<Reply>();
        proposals.add(new Proposal(command, reply));
        return reply;
    }

    /** The next proposal, as soon as it is made. */
    Proposal next() throws InterruptedException {
        var proposal = proposals.poll(DEADLINE_SECONDS, TimeUnit.SECONDS);
        assertNotNull(proposal, "nothing was proposed");
        return proposal;
    }

    void assertNothingFor(long millis) throws InterruptedException {
        assertNull(proposals.poll(millis, TimeUnit.MILLISECONDS));
    }
}
