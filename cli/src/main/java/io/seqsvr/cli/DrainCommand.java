package io.seqsvr.cli;

import io.seqsvr.core.store.StoreView;
import io.seqsvr.core.store.StoreView.Member;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Takes an allocator out of service without a gap. */
@Command(
        name = "drain",
        description = {
            "Has an allocator hand all its segments over to the others, and waits until it owns none. It takes nothing"
                    + " more until it is restarted. Repeating the command is harmless.",
            "Where no other takes them it gives them back, and nobody serves them. A SIGTERM does the same before the"
                    + " process ends."
        })
final class DrainCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(paramLabel = "NODE", description = "Name, address or session of the allocator.")
    private String node = "";

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Mixin
    private Until until = new Until();

    @Mixin
    private OutputOptions output = new OutputOptions();

    /** An allocator owns nothing; it sees to that by itself, once it has begun. */
    static final class Emptied implements Until.Goal {
        private final Member allocator;
        /** Where its session was there still. */
        private long leftLast;

        private boolean over;

        /**
         * One that is asked to.
         *
         * @param owned how many segments it had then
         */
        Emptied(Member allocator, long owned) {
            this.allocator = allocator;
            this.leftLast = owned;
        }

        @Override
        public long left(StoreView view) {
            long left = Nodes.notTaken(view, allocator.id());
            over = view.session(allocator.id()).isEmpty();
            leftLast = over ? leftLast : left;
            return left;
        }

        /** Fails if its session ended before it was seen to own nothing: others have what it had, and not from it. */
        void requireHandedOver() throws StoreFailure {
            if (over && leftLast > 0) {
                throw StoreFailure.unavailable(allocator.name() + " had " + leftLast
                        + " segments when it was seen last, and its session is over: unless it was stopped and had"
                        + " handed them over by then, others took them from a dead owner, and their users have a"
                        + " gap; its log tells");
            }
        }

        @Override
        public void again(StoreView view, long nowNanos) {
            // Whoever drains offers what is left again by itself.
        }

        @Override
        public String unfinished(StoreView view, long left) {
            return left + " segments are still at " + allocator.name()
                    + "; it goes on, 'seqsvr nodes' shows how far it is";
        }
    }

    @Override
    public Integer call() throws StoreFailure {
        var member = Nodes.allocator(store.view(), node);
        var cluster = store.cluster();
        int owned = store.order(member, (allocator, address) -> allocator.drain(address, cluster, member.id()));
        var emptied = new Emptied(member, owned);
        var view = until.noneIsLeft(store, emptied);
        emptied.requireHandedOver();
        long withoutOwner = Nodes.givenBack(view, member.id());
        output.print(
                spec.commandLine().getOut(),
                () -> words(member.name(), owned, withoutOwner),
                () -> new JsonObject()
                        .put("node", member.name())
                        .put("session", Long.toString(member.id()))
                        .put("segments", owned)
                        .put("without_owner", withoutOwner)
                        .put("version", Long.toString(view.version())));
        return ExitCode.OK;
    }

    /**
     * What became of its segments.
     *
     * @param owned how many it had when it was asked; none if the order was repeated
     * @param withoutOwner how many it gave back because nobody was there who took them
     */
    static String words(String name, long owned, long withoutOwner) {
        var words = name + " owns nothing any more; it handed over " + Math.max(0, owned - withoutOwner) + " segments";
        return withoutOwner == 0
                ? words
                : words + " and gave back " + withoutOwner + ", which nobody has taken: their users are not served";
    }
}
