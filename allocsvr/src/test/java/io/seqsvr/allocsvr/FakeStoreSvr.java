package io.seqsvr.allocsvr;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.Session;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.proto.internal.v1.Command;
import io.seqsvr.proto.internal.v1.ExecuteRequest;
import io.seqsvr.proto.internal.v1.Holding;
import io.seqsvr.storeclient.fixture.FakeStore;
import io.seqsvr.storeclient.fixture.Outcome;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A StoreSvr whose sessions expire and whose routes change when the test says so; while it is silent it takes nothing
 * in and answers nothing.
 */
final class FakeStoreSvr extends FakeStore {
    private final BlockingQueue<StoreCommand> executed = new LinkedBlockingQueue<>();
    private final BlockingQueue<ExecuteRequest> ignored = new LinkedBlockingQueue<>();
    private final List<Namespace> namespaces;
    private UnaryOperator<StoreReply> raised = UnaryOperator.identity();
    private boolean silent;
    private Set<Command.KindCase> unheard = Set.of();

    FakeStoreSvr(LeaseTerms lease, Namespace... namespaces) {
        super(lease, List.of(namespaces));
        this.namespaces = List.of(namespaces);
    }

    @Override
    protected boolean takes(ExecuteRequest request) {
        boolean takes = !silent && !unheard.contains(request.getCommand().getKindCase());
        if (!takes) {
            ignored.add(request);
        }
        return takes;
    }

    @Override
    protected Future<StoreReply> answers(StoreCommand command, StoreReply reply) {
        executed.add(command);
        return Future.succeededFuture(command instanceof StoreCommand.Raise ? raised.apply(reply) : reply);
    }

    @Override
    protected boolean shows() {
        return !silent;
    }

    /** From now on nothing is answered, as if the process hung. */
    void fallSilent() {
        change(() -> silent = true);
    }

    /** From now on commands of this kind are not answered. */
    void ignore(Command.KindCase kind) {
        change(() -> unheard = Set.of(kind));
    }

    /** From now on all commands are answered again. */
    void hear() {
        change(() -> unheard = Set.of());
    }

    /** Answers again; what came meanwhile is lost. */
    void speak() {
        change(() -> silent = false);
    }

    /** From now on raises are answered like this. */
    void answerRaisesWith(StoreReply reply) {
        change(() -> raised = rightly -> reply);
    }

    /** Gives all segments, which must be free, to the allocator of that name; waits for its session. */
    void assignAll(String allocator) {
        long session = awaitSession(allocator).id();
        var moves = namespaces.stream()
                .map(namespace -> new StoreCommand.Move(namespace.id(), 0, namespace.segmentCount() - 1, session))
                .toList();
        assertInstanceOf(
                StoreReply.RoutesPublished.class,
                command(new StoreCommand.PublishRoutes(view().publishVersion(), moves)));
    }

    /** Gives what its owner gave back to the allocator of that name, as a router does; nothing if nothing was. */
    void assignReleased(String allocator) {
        long session = awaitSession(allocator).id();
        var seen = view();
        var moves = seen.released().ranges().stream()
                .map(range -> new StoreCommand.Move(range.namespaceId(), range.first(), range.last(), session))
                .toList();
        if (!moves.isEmpty()) {
            // If another plan came first, it is left to the next try.
            command(new StoreCommand.PublishRoutes(seen.publishVersion(), moves));
        }
    }

    /** The timer of a session ran out. */
    void expire(Session session) {
        StoreReply reply;
        do {
            // It may renew between the two.
            var renewal = session(session.name()).orElseThrow().renewal();
            reply = command(new StoreCommand.ExpireSession(session.id(), renewal));
        } while (reply instanceof StoreReply.ExpiryVoid);
        assertInstanceOf(StoreReply.SessionEnded.class, reply);
    }

    Optional<Session> session(String allocator) {
        return see(state -> state.sessions().stream()
                .filter(session -> session.name().equals(allocator))
                .findFirst());
    }

    /** The session of an allocator, once it has one; the allocator may not have heard of it yet. */
    Session awaitSession(String allocator) {
        return awaitSession(allocator, StoreCommand.OpenSession.class, session -> true);
    }

    /** The session of an allocator, once that has heard of it. */
    Session awaitRenewed(String allocator) {
        return awaitSession(allocator, StoreCommand.Renew.class, Session::hasRenewed);
    }

    private Session awaitSession(String allocator, Class<? extends StoreCommand> maker, Predicate<Session> isAsWanted) {
        for (var session = session(allocator); ; session = session(allocator)) {
            if (session.filter(isAsWanted).isPresent()) {
                return session.get();
            }
            awaitCommand(maker);
        }
    }

    /** The next command of a kind that is taken in; those before it count as seen. */
    <C extends StoreCommand> C awaitCommand(Class<C> kind) {
        while (true) {
            var command = Outcome.next(executed);
            if (kind.isInstance(command)) {
                return kind.cast(command);
            }
        }
    }

    /** Waits until a command of this kind was ignored in silence. */
    void awaitIgnored(Command.KindCase kind) {
        while (Outcome.next(ignored).getCommand().getKindCase() != kind) {
            // Another kind; renewals come at any time.
        }
    }

    /** Waits until a renewal that confirms something was ignored in silence; tells what it was to confirm. */
    List<Holding> awaitIgnoredConfirmation() {
        while (true) {
            var holdings = Outcome.next(ignored).getCommand().getRenew().getHoldingsList();
            if (!holdings.isEmpty()) {
                return holdings;
            }
        }
    }

    /** Durable upper bound of a segment. */
    long maxSeq(Namespace namespace, int segment) {
        return see(state -> state.maxSeq(new SegmentId(namespace.id(), segment)));
    }
}
