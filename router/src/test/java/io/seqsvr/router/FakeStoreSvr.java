package io.seqsvr.router;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.proto.internal.v1.ExecuteRequest;
import io.seqsvr.storeclient.fixture.FakeStore;
import io.seqsvr.storeclient.fixture.Outcome;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A StoreSvr whose sessions open and end when the test says so; it may keep silent about plans, about watches, or both.
 */
final class FakeStoreSvr extends FakeStore {
    private final BlockingQueue<StoreReply> published = new LinkedBlockingQueue<>();
    private final BlockingQueue<ExecuteRequest> ignored = new LinkedBlockingQueue<>();
    private boolean ignorePlans;
    private boolean ignoreSessions;
    private boolean hideViews;
    private long answerMillis;

    FakeStoreSvr(LeaseTerms lease, Namespace... namespaces) {
        super(lease, List.of(namespaces));
    }

    @Override
    protected boolean takes(ExecuteRequest request) {
        boolean plan = request.getCommand().hasPublishRoutes();
        if (plan && (ignoreSessions || ignorePlans)) {
            ignored.add(request);
            return false;
        }
        return !ignoreSessions;
    }

    @Override
    protected Future<StoreReply> answers(StoreCommand command, StoreReply reply) {
        if (command instanceof StoreCommand.PublishRoutes) {
            published.add(reply);
        }
        return answerMillis == 0
                ? Future.succeededFuture(reply)
                : later(answerMillis).map(now -> reply);
    }

    @Override
    protected boolean shows() {
        return !hideViews;
    }

    /** Whether plans and watches are left without an answer, as if the process hung. */
    void silence(boolean plans, boolean views) {
        change(() -> {
            ignorePlans = plans;
            hideViews = views;
        });
    }

    /** Whether no command whatever is answered, as if there were no leader; watches are. */
    void leaderless(boolean ignore) {
        change(() -> ignoreSessions = ignore);
    }

    /** The watch that is open, or comes next, is told nothing any more; the next one is. */
    void loseWatch() {
        long startedAt = System.nanoTime();
        while (!loseWatches()) {
            assertTrue(Outcome.isInTime(startedAt), "nobody watches");
        }
    }

    /** How long commands that were applied wait for their answer. */
    void answerLate(long millis) {
        change(() -> answerMillis = millis);
    }

    /** The session of a router of this name, once it is open. */
    long awaitRouter(String name) {
        long startedAt = System.nanoTime();
        while (Outcome.isInTime(startedAt)) {
            for (var member : view().sessions()) {
                if (member.kind() == SessionKind.ROUTER && member.name().equals(name)) {
                    return member.id();
                }
            }
        }
        return fail(name + " opened no session");
    }

    /** An allocator is no more. */
    void end(long session) {
        assertInstanceOf(StoreReply.SessionEnded.class, command(new StoreCommand.CloseSession(session)));
    }

    /** What was answered to the next plan of a router. */
    StoreReply awaitPlan() {
        return Outcome.next(published);
    }

    boolean noPlanCame() {
        return published.isEmpty() && ignored.isEmpty();
    }

    void awaitIgnoredPlan() {
        Outcome.next(ignored);
    }
}
