package io.seqsvr.allocsvr.grpc;

import io.seqsvr.allocsvr.role.AllocatorLoop;
import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.Refusal;
import io.seqsvr.core.front.Caller;
import io.seqsvr.core.front.Wanted;
import io.seqsvr.node.api.Answering;
import io.seqsvr.node.api.FrameReader;
import io.seqsvr.node.api.PublicApi;
import io.seqsvr.node.api.RefusedCalls;
import io.seqsvr.node.api.RoutesService;
import io.seqsvr.node.api.SequencesApi;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The public service of one AllocSvr: it answers for the segments that its allocator owns, and refuses the others. */
public final class SequencesService {
    private static final Answer.Refused STARTING = new Answer.Refused(Refusal.NOT_READY, "the allocator is starting");

    private Optional<AllocatorLoop> loop = Optional.empty();

    /**
     * Binds the methods to a port; until {@link #serve} they refuse.
     *
     * @param routes shows who owns what to callers of {@code Allocate} that were refused for not knowing it
     * @param refused counts what is refused within replies for many
     */
    public void bind(NodeServer.Builder port, RoutesService routes, RefusedCalls refused) {
        new SequencesApi(new Owned(), refused).bind(port);
        port.whenCallersLeave(() -> loop.ifPresent(AllocatorLoop::callersLeft));
        var reader = new FrameReader();
        port.stream(SequencesRpc.ALLOCATE, replies -> new FrameStream(replies, () -> loop, reader, routes));
    }

    /** Answers from this allocator from now on. */
    public void serve(AllocatorLoop ready) {
        loop = Optional.of(ready);
    }

    /** Whether requests would be answered. */
    public boolean ready() {
        return loop.map(AllocatorLoop::ready).orElse(false);
    }

    /** Answers from the allocator of this process: what still waits when the time of its caller is over is refused. */
    private final class Owned implements Answering {
        @Override
        public Future<Answer> answer(Wanted wanted, long timeoutMillis, Caller caller) {
            return loop.map(ready -> ready.alone(wanted, timeoutMillis, caller))
                    .orElse(Future.succeededFuture(STARTING));
        }

        @Override
        public Future<List<Future<Answer>>> together(List<Wanted> wanted, long timeoutMillis, Caller caller) {
            if (loop.isEmpty()) {
                return Future.failedFuture(PublicApi.error(STARTING));
            }
            return loop.get().together(wanted, timeoutMillis, caller).map(answers -> {
                var each = new ArrayList<Future<Answer>>(answers.size());
                answers.forEach(answer -> each.add(Future.succeededFuture(answer)));
                return each;
            });
        }
    }
}
