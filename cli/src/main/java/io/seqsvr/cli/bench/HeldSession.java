package io.seqsvr.cli.bench;

import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.session.Outbox;
import io.seqsvr.core.session.RoleEvent;
import io.seqsvr.core.session.SessionKeeper;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.node.clock.SystemClocks;
import io.seqsvr.storeclient.StoreClient;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * An allocator's session and its lease, kept as an allocator keeps them, and watched for whether the lease is ever
 * lost. Use it from one event loop.
 */
final class HeldSession {
    private static final long TICK_MILLIS = 10;

    /** A command that is to be sent, or something that is told and that nobody needs here. */
    private record Effect(long call, Optional<StoreCommand> command) {}

    private static final class Effects extends Outbox<Effect> {
        @Override
        protected Effect sending(long call, StoreCommand command) {
            return new Effect(call, Optional.of(command));
        }

        @Override
        protected Effect reporting(RoleEvent event) {
            return new Effect(0, Optional.empty());
        }

        @Override
        protected Effect watchingElsewhere() {
            return new Effect(0, Optional.empty());
        }
    }

    private final Vertx vertx;
    private final StoreClient store;
    private final Effects out = new Effects();
    private final SessionKeeper keeper;
    private final Promise<Long> held = Promise.promise();
    private long timer;
    private boolean valid;
    private long lost;
    private long leastRemainingNanos = Long.MAX_VALUE;

    HeldSession(Vertx vertx, StoreClient store) {
        this.vertx = vertx;
        this.store = store;
        this.keeper = new SessionKeeper(
                SessionKind.ALLOCATOR, "bench", "127.0.0.1:7721", new SplittableRandom(), out, Guards.ALL);
    }

    /** Opens the session and keeps it; told its id as soon as its lease is valid. */
    Future<Long> start() {
        timer = vertx.setPeriodic(0, TICK_MILLIS, fired -> tick());
        return held.future();
    }

    /** Renews no more. */
    void stop() {
        vertx.cancelTimer(timer);
    }

    /** How often the lease was valid and then was not. */
    long lost() {
        return lost;
    }

    /** The least that was ever left of the lease while it was held, in nanoseconds. */
    long leastRemainingNanos() {
        return leastRemainingNanos;
    }

    private void tick() {
        var now = SystemClocks.readWithBoot();
        out.sawBoot(now);
        watchLease(keeper.lease().map(lease -> lease.remainingNanos(now)).orElse(0L));
        keeper.tick(now);
        carryOut();
    }

    private void watchLease(long remainingNanos) {
        if (valid) {
            leastRemainingNanos = Math.min(leastRemainingNanos, remainingNanos);
            lost += remainingNanos == 0 ? 1 : 0;
        }
        valid = remainingNanos > 0;
    }

    private void carryOut() {
        for (var effect : out.takeEffects()) {
            effect.command()
                    .ifPresent(command -> store.execute(command).onComplete(outcome -> told(effect.call(), outcome)));
        }
    }

    private void told(long call, AsyncResult<StoreReply> outcome) {
        var now = SystemClocks.read();
        var sent = out.close(call);
        if (sent == null) {
            return;
        }
        if (sent.command() instanceof StoreCommand.OpenSession open) {
            if (outcome.succeeded()) {
                keeper.opened(open, outcome.result(), sent.at(), now);
            } else {
                keeper.openingFailed(open, now);
            }
        } else if (sent.command() instanceof StoreCommand.Renew renew && outcome.succeeded()) {
            if (outcome.result() instanceof StoreReply.Renewed renewed) {
                keeper.renewed(renew, renewed, sent.at(), now);
                held.tryComplete(renew.session());
            } else if (outcome.result() instanceof StoreReply.RenewalUnheard) {
                keeper.renewalRefused(renew);
            } else if (renew.session() == keeper.session()) {
                keeper.lose(now);
            }
        }
        carryOut();
    }
}
