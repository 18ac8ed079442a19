package io.seqsvr.storesvr.replica;

import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.SegmentRecord;
import io.seqsvr.core.store.Session;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreState;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Entries of commands over a small world, most of them sensible, some of them wrong. */
final class RandomEntries {
    private final SplittableRandom random;
    private final StoreState state;

    RandomEntries(SplittableRandom random, StoreState state) {
        this.random = random;
        this.state = state;
    }

    List<StoreCommand> next() {
        var commands = new ArrayList<StoreCommand>();
        int count = random.nextInt(1, 6);
        for (int i = 0; i < count; i++) {
            commands.add(command());
        }
        return commands;
    }

    private StoreCommand command() {
        return switch (random.nextInt(12)) {
            case 0, 1 ->
                new StoreCommand.OpenSession(random.nextInt(6), "alloc-" + random.nextInt(4), "a:" + random.nextInt(4));
            case 2, 3 -> new StoreCommand.Renew(session());
            case 4 -> new StoreCommand.Claim(session(), 0);
            case 5 -> random.nextBoolean() ? new StoreCommand.CloseSession(session()) : expiry();
            case 6, 7, 8 -> plan();
            default -> raise();
        };
    }

    private StoreCommand expiry() {
        long session = session();
        return new StoreCommand.ExpireSession(
                session, state.session(session).map(Session::renewal).orElse(0L));
    }

    private StoreCommand plan() {
        int first = random.nextInt(10);
        int last = Math.min(9, first + random.nextInt(3));
        return new StoreCommand.PublishRoutes(
                state.cluster().orElseThrow().tableVersion(),
                List.of(new StoreCommand.Move(1, first, last, session())));
    }

    private StoreCommand raise() {
        var id = new SegmentId(1, random.nextInt(10));
        var segment = state.segment(id);
        return new StoreCommand.Raise(
                segment.map(SegmentRecord::owner).orElse(session()),
                List.of(new StoreCommand.RaiseItem(
                        id,
                        segment.map(SegmentRecord::epoch).orElse(1L),
                        segment.map(SegmentRecord::maxSeq).orElse(0L) + random.nextInt(-50, 200))));
    }

    private long session() {
        var open = List.copyOf(state.sessions());
        return open.isEmpty() ? 999 : open.get(random.nextInt(open.size())).id();
    }
}
