package io.seqsvr.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.storeclient.AllocatorCaller;
import io.vertx.grpc.common.GrpcStatus;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is said of an order or a command that came to nothing, and of one of which nobody knows. */
final class StoreOptionsTest {
    /** A call to a port at which nobody listens. */
    private static Throwable unsent() {
        return StoreOptions.on(vertx -> new AllocatorCaller(vertx, Duration.ofSeconds(5))
                        .drain(new HostPort("127.0.0.1", 1), "cluster-1", 1))
                .cause();
    }

    private static RpcException late() {
        return RpcException.of(
                GrpcStatus.DEADLINE_EXCEEDED, ErrorReason.DEADLINE_PASSED, "no answer to Drain within 3000 ms");
    }

    private static RpcException broken() {
        return RpcException.retryable(GrpcStatus.UNAVAILABLE, ErrorReason.OWNER_UNREACHABLE, "the connection broke", 0);
    }

    private static void assertBegins(String words, StoreFailure said) {
        assertTrue(String.valueOf(said.getMessage()).startsWith(words), said::toString);
    }

    @Test
    void anOrderWithoutAnAnswerMayHaveBegun() {
        for (var failure : List.of(late(), broken())) {
            var said = StoreOptions.orderFailed("a1 (a1:1)", failure, "seqsvr nodes --store s:1");
            assertEquals(
                    "the outcome is unknown: a1 (a1:1) may have begun: " + failure.getMessage()
                            + "; look with 'seqsvr nodes --store s:1', or repeat the command, which is harmless",
                    said.getMessage());
            assertEquals(ExitCode.UNAVAILABLE, said.exitCode());
        }
    }

    @Test
    void whoWasNotReachedDidNotBegin() {
        var said = StoreOptions.orderFailed("a1 (a1:1)", unsent(), "seqsvr nodes");
        assertBegins("a1 (a1:1) did not begin: no answer from 127.0.0.1:1", said);
        assertEquals(ExitCode.UNAVAILABLE, said.exitCode());
    }

    @Test
    void whoSaidNoDidNotBeginAndIsToldApart() {
        var no = RpcException.of(GrpcStatus.FAILED_PRECONDITION, ErrorReason.NOT_OWNER, "this is session 2");
        var said = StoreOptions.orderFailed("a1 (a1:1)", no, "seqsvr nodes");
        assertEquals("a1 (a1:1) did not begin: this is session 2", said.getMessage());
        assertEquals(ExitCode.FAILED, said.exitCode());
    }

    @Test
    void aCommandThatWasNeverSentChangedNothing() {
        var said = StoreOptions.commandFailed(unsent(), "seqsvr namespace list");
        assertBegins("nothing was changed: no answer from 127.0.0.1:1", said);
        assertBegins("the outcome is unknown: ", StoreOptions.commandFailed(late(), "seqsvr namespace list"));
    }
}
