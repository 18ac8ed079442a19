package io.seqsvr.storesvr.replica;

import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.NamespaceChange;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.segment.SegmentCounters;
import io.seqsvr.core.store.ClusterChange;
import io.seqsvr.core.store.SegmentRecord;
import io.seqsvr.core.store.Session;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreState;
import io.seqsvr.core.store.StoredTable;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/** Entries of commands over a small world of two namespaces, most of them sensible, some of them wrong. */
final class RandomEntries {
    private static final int SEGMENTS = 10;

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
        return switch (random.nextInt(23)) {
            case 0, 1, 2 -> open();
            case 3, 4 -> renewal();
            case 5 -> new StoreCommand.Claim(session(), 0);
            case 6 -> end();
            case 7, 8, 9, 10 -> plan();
            case 11 -> new StoreCommand.RaiseFloor(segment(), random.nextInt(0, 2_000));
            case 12, 13 -> release();
            case 14 -> handOver();
            case 15 -> random.nextInt(6) == 0 ? new StoreCommand.Leave(session()) : renewal();
            case 16, 17 -> storing();
            case 18 -> fetching();
            case 19 -> settings();
            default -> raise();
        };
    }

    private StoreCommand settings() {
        var change = NamespaceChange.NONE.withStep(random.nextInt(0, 90));
        var fresh = Namespace.ofDefaults(1, "n" + random.nextInt(3)).settings();
        return switch (random.nextInt(3)) {
            case 0 ->
                new StoreCommand.AlterCluster(new ClusterChange(
                        OptionalLong.of(random.nextLong(500_000_000, 5_000_000_000L)),
                        OptionalInt.empty(),
                        OptionalInt.empty(),
                        OptionalLong.of(random.nextInt(0, 3))));
            case 1 -> new StoreCommand.CreateNamespace(change.of(fresh));
            default -> new StoreCommand.AlterNamespace(fresh.name(), change);
        };
    }

    private StoreCommand open() {
        var kind = random.nextInt(5) == 0 ? SessionKind.ROUTER : SessionKind.ALLOCATOR;
        return new StoreCommand.OpenSession(
                kind, random.nextInt(6), "alloc-" + random.nextInt(4), "a:" + random.nextInt(4));
    }

    private StoreCommand renewal() {
        long session = session();
        var holdings = new ArrayList<StoreCommand.Holding>();
        for (int i = random.nextInt(4); i > 0; i--) {
            var id = segment();
            holdings.add(new StoreCommand.Holding(id, epoch(id)));
        }
        return new StoreCommand.Renew(session, holdings);
    }

    private StoreCommand end() {
        long session = session();
        return switch (random.nextInt(4)) {
            case 0 -> new StoreCommand.CloseSession(session);
            case 1 -> new StoreCommand.Expel(session);
            default ->
                new StoreCommand.ExpireSession(
                        session,
                        random.nextInt(4) == 0
                                ? 0
                                : state.session(session).map(Session::renewal).orElse(0L));
        };
    }

    private StoreCommand plan() {
        int first = random.nextInt(SEGMENTS);
        int last = Math.min(SEGMENTS - 1, first + random.nextInt(3));
        return new StoreCommand.PublishRoutes(
                random.nextInt(10) == 0 ? 0 : state.cluster().orElseThrow().publishVersion(),
                List.of(new StoreCommand.Move(random.nextInt(1, 3), first, last, session())));
    }

    private StoreCommand release() {
        var first = owned();
        var second = owned();
        return new StoreCommand.Release(owner(first), List.of(sealed(first), sealed(second)));
    }

    /** A segment with a living owner, where there is one. */
    private SegmentId owned() {
        var owned = state.segments().stream()
                .filter(segment -> state.session(segment.owner()).isPresent() && !segment.isReleased())
                .map(SegmentRecord::id)
                .toList();
        return owned.isEmpty() ? segment() : owned.get(random.nextInt(owned.size()));
    }

    private StoreCommand handOver() {
        var id = owned();
        return new StoreCommand.HandOver(owner(id), List.of(sealed(id)), session());
    }

    private StoreCommand storing() {
        var id = owned();
        long base = state.segment(id).map(SegmentRecord::base).orElse(0L);
        var counters = new SegmentCounters(Math.max(1, epoch(id)), base, base + 300, 10, Long.MAX_VALUE);
        counters.take(random.nextInt(10), 1 + random.nextInt(200));
        return new StoreCommand.StoreTables(owner(id), List.of(new StoredTable(id, counters.table())));
    }

    private StoreCommand fetching() {
        var id = owned();
        return new StoreCommand.FetchTables(owner(id), List.of(new StoreCommand.Holding(id, epoch(id))));
    }

    private StoreCommand.Sealed sealed(SegmentId id) {
        long base = state.segment(id).map(SegmentRecord::base).orElse(0L);
        long high = random.nextInt(3) == 0 ? StoreCommand.Sealed.NO_HIGH : Math.max(0, base + random.nextInt(-10, 200));
        return new StoreCommand.Sealed(id, epoch(id), high);
    }

    private StoreCommand raise() {
        var id = segment();
        return new StoreCommand.Raise(
                owner(id),
                List.of(new StoreCommand.RaiseItem(
                        id,
                        epoch(id),
                        state.segment(id).map(SegmentRecord::maxSeq).orElse(0L) + random.nextInt(-50, 200))));
    }

    private SegmentId segment() {
        return new SegmentId(random.nextInt(1, 3), random.nextInt(SEGMENTS));
    }

    private long epoch(SegmentId id) {
        long present = state.segment(id).map(SegmentRecord::epoch).orElse(1L);
        return random.nextInt(8) == 0 ? present + random.nextInt(-1, 2) : present;
    }

    private long owner(SegmentId id) {
        return state.segment(id).map(SegmentRecord::owner).orElseGet(this::session);
    }

    private long session() {
        var open = List.copyOf(state.sessions());
        return open.isEmpty() ? 999 : open.get(random.nextInt(open.size())).id();
    }
}
