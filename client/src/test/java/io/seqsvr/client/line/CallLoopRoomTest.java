package io.seqsvr.client.line;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.front.Call;
import io.seqsvr.core.front.CallLimits;
import io.seqsvr.core.front.Caller;
import io.seqsvr.core.front.OpenShare;
import io.seqsvr.core.front.Verifier;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.ArrayList;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls of many connections on one loop that knows no owner yet: they wait, as long as there is room. */
@Timeout(60)
class CallLoopRoomTest {
    private static final int OPEN_CALLS = 64;
    private static final int SECOND = 1_000_000_000;

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final CallLoop loop = new CallLoop(
            vertx,
            new CallLimits(2, 100, OPEN_CALLS, SECOND),
            1_000,
            Verifier.NONE,
            new SplittableRandom(1),
            book -> {});

    @AfterEach
    void close() {
        loop.close(1).await();
        vertx.close().await();
    }

    /** One connection. */
    private static final class Connection implements Caller {
        private final OpenShare share = new OpenShare();

        @Override
        public boolean isGone() {
            return false;
        }

        @Override
        public OpenShare share() {
            return share;
        }
    }

    /** A call that remembers whether it was refused. */
    private static final class Made implements CallEnd {
        private final Caller caller;
        private final long madeAt = System.nanoTime();
        private volatile boolean refused;

        Made(Caller caller) {
            this.caller = caller;
        }

        @Override
        public Call call() {
            return new Call.Next("messages", 1, 1, 0);
        }

        @Override
        public Caller caller() {
            return caller;
        }

        @Override
        public long madeAtNanos() {
            return madeAt;
        }

        @Override
        public long timeoutNanos() {
            return 60L * SECOND;
        }

        @Override
        public void answered(Answer answer) {
            refused = answer instanceof Answer.Refused;
        }

        @Override
        public void unanswered(String why) {}
    }

    @Test
    void whoAsksForThousandsInOneTurnLeavesRoomForWhoComesInTheSame() throws Exception {
        var greedy = new Connection();
        var many = new ArrayList<Made>();
        var other = new Made(new Connection());
        var looked = new CompletableFuture<Void>();
        loop.context().runOnContext(turn -> {
            for (int i = 0; i < 4 * OPEN_CALLS; i++) {
                many.add(new Made(greedy));
                loop.callHere(many.get(i));
            }
            loop.callHere(other);
            loop.context().runOnContext(next -> loop.context().runOnContext(later -> looked.complete(null)));
        });
        looked.get(10, TimeUnit.SECONDS);
        assertFalse(other.refused);
        assertEquals(OPEN_CALLS / 2, many.stream().filter(each -> !each.refused).count());
        assertTrue(many.get(OPEN_CALLS).refused);
    }

    @Test
    void whatIsMadeOnALoopThatIsClosedEndsAtOnce() throws Exception {
        Future<Void> closed = loop.close(1);
        var ended = new CompletableFuture<String>();
        loop.context()
                .runOnContext(turn -> loop.callHere(new CallEnd() {
                    @Override
                    public Call call() {
                        return new Call.Next("messages", 1, 1, 0);
                    }

                    @Override
                    public long madeAtNanos() {
                        return System.nanoTime();
                    }

                    @Override
                    public long timeoutNanos() {
                        return SECOND;
                    }

                    @Override
                    public void answered(Answer answer) {}

                    @Override
                    public void unanswered(String why) {
                        ended.complete(why);
                    }
                }));
        assertEquals("the client is closed", ended.get(10, TimeUnit.SECONDS));
        closed.await();
    }
}
