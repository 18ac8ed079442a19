package io.seqsvr.core.failover;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.TestClock;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreCommand.PublishRoutes;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One controller in a test's hands. Plans wait for the test to say what becomes of them; other commands get lost, until
 * the test lets them reach the store.
 */
final class ControllerBench {
    private final FakeStore store;
    private final TestClock clock;
    final Controller controller;
    final List<ControllerEffect> effects = new ArrayList<>();
    private boolean reachesStore;
    private boolean refusesRenewals;
    private ControllerEffect.@Nullable Send plan;

    /** The call of the plan that was taken last. */
    private long call;

    ControllerBench(String name, FakeStore store, TestClock clock) {
        this.store = store;
        this.clock = clock;
        this.controller = new Controller(name, name + ":7700", new SplittableRandom(name.hashCode()));
    }

    /** A controller that has opened its session. */
    static ControllerBench registered(String name, FakeStore store, TestClock clock) {
        var bench = new ControllerBench(name, store, clock);
        bench.reachesStore = true;
        bench.tick();
        return bench;
    }

    /** From now on its commands reach the store, or get lost. */
    void reachStore(boolean reaches) {
        reachesStore = reaches;
    }

    /** From now on renewals are refused as if it heard nothing, or not. */
    void refuseRenewals(boolean refuses) {
        refusesRenewals = refuses;
    }

    void tick() {
        controller.tick(clock.now());
        carryOut();
    }

    void see(StoreView view) {
        controller.woken(view, clock.now());
        carryOut();
    }

    /** The plan that is under way, if the test has not taken it. */
    Optional<PublishRoutes> takePlan() {
        var taken = plan;
        plan = null;
        if (taken == null) {
            return Optional.empty();
        }
        call = taken.call();
        return Optional.of((PublishRoutes) taken.command());
    }

    /** The outcome of the plan that was taken last. */
    void told(StoreReply reply) {
        controller.answered(call, reply, clock.now());
        carryOut();
    }

    /** The plan that was taken last has no outcome. */
    void lost() {
        controller.unanswered(call, clock.now());
        carryOut();
    }

    /** The plan that was taken last did not reach the log. */
    void notSubmitted() {
        controller.notSubmitted(call, clock.now());
        carryOut();
    }

    void close() {
        controller.close(clock.now());
        carryOut();
    }

    <T> long count(Class<T> kind) {
        return effects.stream().filter(kind::isInstance).count();
    }

    private void carryOut() {
        for (var effects = controller.takeEffects(); !effects.isEmpty(); effects = controller.takeEffects()) {
            effects.forEach(this::carryOut);
        }
    }

    private void carryOut(ControllerEffect effect) {
        effects.add(effect);
        if (effect instanceof ControllerEffect.Send send) {
            if (send.command() instanceof StoreCommand.PublishRoutes) {
                plan = send;
            } else if (refusesRenewals && send.command() instanceof StoreCommand.Renew renew) {
                controller.answered(send.call(), new StoreReply.RenewalUnheard(renew.session()), clock.now());
            } else if (reachesStore) {
                controller.answered(send.call(), store.execute(send.command()), clock.now());
            } else {
                controller.unanswered(send.call(), clock.now());
            }
        }
    }
}
