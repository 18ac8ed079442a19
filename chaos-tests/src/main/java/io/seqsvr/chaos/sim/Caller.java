package io.seqsvr.chaos.sim;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.Refusal;
import io.seqsvr.core.front.RouteBook;
import io.seqsvr.core.front.Routing;
import java.util.function.Consumer;

/** What a router and a smart client have in common: they know owners, ask them, and do not believe older epochs. */
final class Caller {
    private final World world;
    private final int place;
    private final int number;
    private final Machine machine;
    private RouteBook book;

    /**
     * A caller.
     *
     * @param place in the network
     * @param number among all callers, from 0
     */
    Caller(World world, int place, int number, Machine machine, RouteBook book) {
        this.number = number;
        this.world = world;
        this.place = place;
        this.machine = machine;
        this.book = book;
    }

    int number() {
        return number;
    }

    RouteBook book() {
        return book;
    }

    /** A new process knows nothing. */
    void forget(RouteBook fresh) {
        world.judge().forget(number);
        book = fresh;
    }

    /**
     * Asks the owner of a user.
     *
     * @param reply gets the answer, if any comes
     */
    void ask(Judge.Operation operation, Consumer<Answer> reply) {
        var ask = operation.ask();
        long seen = world.judge().seenByCaller(operation);
        var target = book.find(ask.namespace(), ask.uid());
        if (target instanceof Routing.Nobody nobody) {
            reply.accept(nobody.answer());
            return;
        }
        var owner = (Routing.Owner) target;
        var allocator = world.allocatorAt(owner.address());
        int life = machine.life();
        world.network()
                .call(
                        place,
                        allocator.place(),
                        () -> allocator.ask(
                                ask,
                                owner.epoch(),
                                answer -> world.network()
                                        .call(
                                                allocator.place(),
                                                place,
                                                () -> machine.run(
                                                        life, () -> answered(operation, seen, owner, answer, reply)))));
    }

    private void answered(
            Judge.Operation operation, long seen, Routing.Owner owner, Answer answer, Consumer<Answer> reply) {
        if (answer instanceof Answer.Refused refused) {
            if (refused.refusal() == Refusal.NOT_OWNER) {
                book.refused();
            }
            reply.accept(answer);
        } else if (book.believes(owner.segment(), Epochs.of(answer))) {
            world.judge().believed(operation, seen, answer);
            reply.accept(answer);
        } else {
            world.tally().countDisbelieved();
            reply.accept(new Answer.Refused(
                    Refusal.NOT_OWNER, "the answer came under an older epoch than one that was seen"));
        }
    }
}
