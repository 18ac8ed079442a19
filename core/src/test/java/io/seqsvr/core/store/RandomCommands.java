package io.seqsvr.core.store;

import io.seqsvr.core.namespace.Keying;
import io.seqsvr.core.namespace.NamespaceChange;
import io.seqsvr.core.namespace.NamespaceSettings;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.segment.SegmentCounters;
import io.seqsvr.core.store.StoreCommand.AlterCluster;
import io.seqsvr.core.store.StoreCommand.AlterNamespace;
import io.seqsvr.core.store.StoreCommand.Claim;
import io.seqsvr.core.store.StoreCommand.CloseSession;
import io.seqsvr.core.store.StoreCommand.CreateNamespace;
import io.seqsvr.core.store.StoreCommand.Expel;
import io.seqsvr.core.store.StoreCommand.ExpireSession;
import io.seqsvr.core.store.StoreCommand.FetchTables;
import io.seqsvr.core.store.StoreCommand.HandOver;
import io.seqsvr.core.store.StoreCommand.Holding;
import io.seqsvr.core.store.StoreCommand.Leave;
import io.seqsvr.core.store.StoreCommand.Move;
import io.seqsvr.core.store.StoreCommand.OpenSession;
import io.seqsvr.core.store.StoreCommand.PublishRoutes;
import io.seqsvr.core.store.StoreCommand.Raise;
import io.seqsvr.core.store.StoreCommand.RaiseFloor;
import io.seqsvr.core.store.StoreCommand.RaiseItem;
import io.seqsvr.core.store.StoreCommand.Release;
import io.seqsvr.core.store.StoreCommand.Renew;
import io.seqsvr.core.store.StoreCommand.Sealed;
import io.seqsvr.core.store.StoreCommand.StoreTables;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/** Commands over a small world, most of them sensible, each sometimes wrong in any of its fields. */
final class RandomCommands {
    private final SplittableRandom random;
    private final StoreState state;
    private final List<Long> sessionsEver = new ArrayList<>(List.of(0L, 999L));

    RandomCommands(SplittableRandom random, StoreState state) {
        this.random = random;
        this.state = state;
    }

    StoreCommand next() {
        state.sessions().stream()
                .map(Session::id)
                .filter(id -> !sessionsEver.contains(id))
                .forEach(sessionsEver::add);
        if (sessionsEver.size() > 40) {
            sessionsEver.subList(2, 20).clear();
        }
        return switch (random.nextInt(28)) {
            case 0, 1, 2 -> opening();
            case 3, 4 -> new Renew(session(), holdings());
            case 5, 6 -> new Claim(session(), random.nextBoolean() ? 0 : tableVersion());
            case 7 -> random.nextBoolean() ? new CloseSession(session()) : expulsion();
            case 8, 9 -> expiry();
            case 10, 11, 12, 13, 14 -> plan();
            case 15, 16 -> new Release(owner(), sealed());
            case 17, 18 -> new HandOver(owner(), sealed(), session());
            case 19 -> new RaiseFloor(new SegmentId(random.nextInt(1, 4), random.nextInt(-1, 12)), bound());
            case 20 -> new StoreTables(owner(), tables());
            case 21 -> new FetchTables(owner(), someHolding());
            case 22 -> random.nextInt(8) == 0 ? new Leave(session()) : new Renew(session());
            case 23 -> settings();
            default -> raise();
        };
    }

    private StoreCommand settings() {
        String name = "n" + random.nextInt(4);
        return switch (random.nextInt(4)) {
            case 0 ->
                new AlterCluster(new ClusterChange(
                        OptionalLong.of(random.nextLong(400_000_000, 9_000_000_000L)),
                        OptionalInt.empty(),
                        random.nextBoolean() ? OptionalInt.of(random.nextInt(0, 20)) : OptionalInt.empty(),
                        OptionalLong.of(random.nextInt(1, 300))));
            case 1 ->
                new CreateNamespace(new NamespaceSettings(
                        name,
                        random.nextInt(0, 90),
                        random.nextBoolean() ? 10 : 0,
                        Keying.DIRECT,
                        Order.LEASE,
                        100,
                        10,
                        10,
                        random.nextInt(2) == 0 ? 5_000 : 6_000));
            default -> new AlterNamespace(random.nextBoolean() ? "moments" : name, change());
        };
    }

    private NamespaceChange change() {
        return switch (random.nextInt(4)) {
            case 0 -> NamespaceChange.NONE.withOrder(random.nextBoolean() ? Order.LEASE : Order.QUORUM);
            case 1 -> NamespaceChange.NONE.withMaxSequence(random.nextInt(20_000, 22_000));
            default -> NamespaceChange.NONE.withStep(random.nextInt(0, 300));
        };
    }

    private StoreCommand opening() {
        var kind = random.nextInt(6) == 0 ? SessionKind.ROUTER : SessionKind.ALLOCATOR;
        return new OpenSession(kind, random.nextInt(8), "alloc-" + random.nextInt(5), "a:" + random.nextInt(5));
    }

    private List<Holding> holdings() {
        var holdings = new ArrayList<Holding>();
        int count = random.nextInt(0, 3);
        for (int i = 0; i < count; i++) {
            holdings.add(new Holding(new SegmentId(random.nextInt(1, 3), random.nextInt(12)), random.nextInt(1, 5)));
        }
        return holdings;
    }

    /** One segment, mostly in its present epoch. */
    private List<Holding> someHolding() {
        var id = new SegmentId(random.nextInt(1, 3), random.nextInt(12));
        long epoch = state.segment(id).map(SegmentRecord::epoch).orElse(1L);
        return List.of(new Holding(id, epoch - (random.nextInt(5) == 0 ? 1 : 0)));
    }

    private List<StoredTable> tables() {
        var tables = new ArrayList<StoredTable>();
        for (var holding : someHolding()) {
            var base = state.segment(holding.segment()).map(SegmentRecord::base).orElse(0L);
            var counters = new SegmentCounters(
                    Math.max(1, holding.epoch()), base, base + 300, 5, Math.max(20_000, base + 300));
            counters.take(random.nextInt(5), 1 + random.nextInt(300));
            tables.add(new StoredTable(holding.segment(), counters.table()));
        }
        return tables;
    }

    /** Mostly what one session owns, with the present epoch and a likely {@code high}; sometimes anything. */
    private List<Sealed> sealed() {
        var items = new ArrayList<Sealed>();
        int count = random.nextInt(0, 4);
        for (int i = 0; i < count; i++) {
            var id = new SegmentId(random.nextInt(1, 3), random.nextInt(12));
            var segment = state.segment(id);
            long epoch = segment.map(SegmentRecord::epoch).orElse(1L) - (random.nextInt(5) == 0 ? 1 : 0);
            long base = segment.map(SegmentRecord::base).orElse(0L);
            long high = random.nextInt(5) == 0 ? Sealed.NO_HIGH : base + random.nextInt(-20, 300);
            items.add(new Sealed(id, epoch, high));
        }
        return items;
    }

    /** An owner of something, so that giving back often succeeds. */
    private long owner() {
        var segments = List.copyOf(state.segments());
        return segments.isEmpty() || random.nextInt(5) == 0
                ? session()
                : segments.get(random.nextInt(segments.size())).owner();
    }

    private long bound() {
        return random.nextInt(100) == 0 ? random.nextLong() : random.nextLong(-5, 5_000);
    }

    /** Rare, as most of what follows it is refused. */
    private StoreCommand expulsion() {
        return random.nextInt(4) == 0 ? new Expel(session()) : new Renew(session());
    }

    private StoreCommand expiry() {
        long session = session();
        long renewal = state.session(session).map(Session::renewal).orElse(0L);
        return new ExpireSession(session, random.nextInt(expelled(session) ? 1 : 4) == 0 ? renewal : renewal - 1);
    }

    private boolean expelled(long session) {
        return state.session(session).map(Session::expelled).orElse(false);
    }

    private StoreCommand plan() {
        var moves = new ArrayList<Move>();
        int count = random.nextInt(1, 4);
        for (int i = 0; i < count; i++) {
            int first = random.nextInt(-1, 12);
            moves.add(new Move(random.nextInt(1, 4) % 3 + 1, first, first + random.nextInt(-1, 3), session()));
        }
        return new PublishRoutes(random.nextInt(5) > 0 ? publishVersion() : publishVersion() - 1, moves);
    }

    private StoreCommand raise() {
        long session = session();
        var items = new ArrayList<RaiseItem>();
        int count = random.nextInt(0, 5);
        for (int i = 0; i < count; i++) {
            var id = new SegmentId(random.nextInt(1, 3), random.nextInt(12));
            var segment = state.segment(id);
            long epoch = segment.map(SegmentRecord::epoch).orElse(1L) - (random.nextInt(5) == 0 ? 1 : 0);
            long bound = segment.map(SegmentRecord::maxSeq).orElse(0L) + random.nextInt(-300, 300);
            items.add(new RaiseItem(id, epoch, random.nextInt(500) == 0 ? random.nextLong() : bound));
        }
        return new Raise(session, items);
    }

    private long session() {
        var open = List.copyOf(state.sessions());
        return open.isEmpty() || random.nextInt(6) == 0
                ? sessionsEver.get(random.nextInt(sessionsEver.size()))
                : open.get(random.nextInt(open.size())).id();
    }

    private long publishVersion() {
        return state.cluster().orElseThrow().publishVersion();
    }

    private long tableVersion() {
        return state.cluster().orElseThrow().tableVersion();
    }
}
