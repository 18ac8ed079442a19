package io.seqsvr.storesvr;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Keying;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.NamespaceChange;
import io.seqsvr.core.namespace.NamespaceDefaults;
import io.seqsvr.core.namespace.NamespaceSettings;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.route.RouteTable;
import io.seqsvr.core.segment.CounterTable;
import io.seqsvr.core.segment.SegmentCounters;
import io.seqsvr.core.store.Cluster;
import io.seqsvr.core.store.ClusterChange;
import io.seqsvr.core.store.ReleaseMark;
import io.seqsvr.core.store.SegmentRecord;
import io.seqsvr.core.store.Session;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.core.store.StoredTable;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Records, commands, replies and views of any content: numbers of all lengths, lists of a few elements or none. */
public final class RandomMessages {
    private final SplittableRandom random;

    /** Draws from this. */
    public RandomMessages(SplittableRandom random) {
        this.random = random;
    }

    /** As often 0 or short as long; never negative. */
    private long number() {
        return random.nextInt(8) == 0 ? 0 : random.nextLong() >>> random.nextInt(1, 64);
    }

    private int small() {
        return random.nextInt(Integer.MAX_VALUE) >>> random.nextInt(31);
    }

    private String text() {
        return random.ints(random.nextInt(1, 9), 'a', 'z' + 1)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private <T> T oneOf(T[] values) {
        return values[random.nextInt(values.length)];
    }

    private <T> List<T> some(Supplier<T> one) {
        return Stream.generate(one).limit(random.nextInt(4)).toList();
    }

    private SegmentId segment() {
        return new SegmentId(small(), small());
    }

    private LeaseTerms terms() {
        return new LeaseTerms(random.nextLong(500_000_000L, 60_000_000_000L), random.nextInt(1, 1_001));
    }

    private NamespaceDefaults defaults() {
        return new NamespaceDefaults(random.nextInt(1, Namespace.MAX_SEGMENT_SIZE + 1), 1 + number() / 2);
    }

    private ClusterChange clusterChange() {
        return new ClusterChange(
                random.nextBoolean() ? OptionalLong.of(number()) : OptionalLong.empty(),
                random.nextBoolean() ? OptionalInt.of(small()) : OptionalInt.empty(),
                random.nextBoolean() ? OptionalInt.of(small()) : OptionalInt.empty(),
                random.nextBoolean() ? OptionalLong.of(number()) : OptionalLong.empty());
    }

    /** A row of the cluster. */
    public Cluster cluster() {
        return new Cluster(text(), terms(), defaults(), small(), number(), number(), number(), number());
    }

    /** A namespace that breaks no rule. */
    public Namespace namespace() {
        return new Namespace(
                1 + small() / 2,
                text(),
                random.nextLong(1, Namespace.MAX_SEGMENTS),
                random.nextInt(1, 1_000),
                oneOf(Keying.values()),
                oneOf(Order.values()),
                random.nextLong(1, 1_000),
                random.nextInt(1, 1_000),
                number(),
                random.nextLong(1_000, Long.MAX_VALUE));
    }

    /** A session. */
    public Session session() {
        return new Session(
                number(),
                oneOf(SessionKind.values()),
                random.nextLong(),
                text(),
                text(),
                terms(),
                number(),
                number(),
                random.nextBoolean(),
                random.nextBoolean());
    }

    /** A segment. */
    public SegmentRecord segmentRecord() {
        ReleaseMark mark = switch (random.nextInt(3)) {
            case 0 -> ReleaseMark.NONE;
            case 1 -> ReleaseMark.WITHOUT_HIGH;
            default -> new ReleaseMark.WithHigh(number());
        };
        return new SegmentRecord(segment(), number(), number(), number(), number(), number(), number(), mark);
    }

    /** A command that callers send. */
    public StoreCommand command() {
        return switch (random.nextInt(16)) {
            case 0 -> new StoreCommand.OpenSession(oneOf(SessionKind.values()), random.nextLong(), text(), text());
            case 1 ->
                new StoreCommand.Renew(
                        number(), some(() -> new StoreCommand.Holding(segment(), number())), number(), number());
            case 2 -> new StoreCommand.Claim(number(), number());
            case 3 -> new StoreCommand.CloseSession(number());
            case 4 -> new StoreCommand.Expel(number());
            case 5 ->
                new StoreCommand.PublishRoutes(
                        number(), some(() -> new StoreCommand.Move(small(), small(), small(), number())));
            case 6 ->
                new StoreCommand.Raise(number(), some(() -> new StoreCommand.RaiseItem(segment(), number(), number())));
            case 7 -> new StoreCommand.Release(number(), some(this::sealed));
            case 8 -> new StoreCommand.HandOver(number(), some(this::sealed), number());
            case 9 -> new StoreCommand.Leave(number());
            case 10 -> new StoreCommand.StoreTables(number(), some(() -> new StoredTable(segment(), counterTable())));
            case 11 ->
                new StoreCommand.FetchTables(number(), some(() -> new StoreCommand.Holding(segment(), number())));
            case 12 -> new StoreCommand.CreateNamespace(settings());
            case 13 -> new StoreCommand.AlterNamespace(text(), change());
            case 14 -> new StoreCommand.AlterCluster(clusterChange());
            default -> new StoreCommand.RaiseFloor(segment(), number());
        };
    }

    /** A whole table of a few counters. */
    public CounterTable counterTable() {
        var counters = new SegmentCounters(1 + number() / 2, random.nextInt(1_000), 10_000_000, 3_000, Long.MAX_VALUE);
        for (int i = random.nextInt(20); i > 0; i--) {
            int slot = random.nextInt(3_000);
            if (random.nextInt(4) == 0) {
                counters.lift(slot, random.nextLong(1, 1_000_000));
            } else {
                counters.take(slot, random.nextLong(1, 1_000_000));
            }
        }
        return counters.table();
    }

    /** Of any numbers, as nobody has judged them yet. */
    private NamespaceSettings settings() {
        return new NamespaceSettings(
                text(),
                number(),
                small(),
                oneOf(Keying.values()),
                oneOf(Order.values()),
                number(),
                small(),
                number(),
                number());
    }

    private NamespaceChange change() {
        return new NamespaceChange(
                maybeNumber(),
                maybeSmall(),
                random.nextBoolean() ? Optional.of(oneOf(Keying.values())) : Optional.empty(),
                random.nextBoolean() ? Optional.of(oneOf(Order.values())) : Optional.empty(),
                maybeNumber(),
                maybeSmall(),
                maybeNumber(),
                maybeNumber());
    }

    private OptionalLong maybeNumber() {
        return random.nextBoolean() ? OptionalLong.of(number()) : OptionalLong.empty();
    }

    private OptionalInt maybeSmall() {
        return random.nextBoolean() ? OptionalInt.of(small()) : OptionalInt.empty();
    }

    private StoreCommand.Sealed sealed() {
        return new StoreCommand.Sealed(
                segment(), number(), random.nextInt(3) == 0 ? StoreCommand.Sealed.NO_HIGH : number());
    }

    /** A reply. */
    public StoreReply reply() {
        return switch (random.nextInt(26)) {
            case 0 -> new StoreReply.ClusterCreated(random.nextBoolean());
            case 1 -> new StoreReply.SessionOpened(number(), terms());
            case 2 -> new StoreReply.SessionHeld(number(), text(), text(), number());
            case 3 -> new StoreReply.Renewed(number(), number(), some(random::nextBoolean));
            case 4 ->
                new StoreReply.Claimed(
                        some(this::claimedSegment), number(), random.nextBoolean(), number(), some(this::namespace));
            case 5 -> new StoreReply.SessionGone(number());
            case 6 -> new StoreReply.SessionEnded(number());
            case 7 -> new StoreReply.SessionExpelled(number());
            case 8 -> new StoreReply.ExpiryVoid(number());
            case 9 -> new StoreReply.RoutesPublished(number());
            case 10 -> new StoreReply.RoutesRefused(number(), text());
            case 11 -> new StoreReply.Raised(some(this::raisedItem));
            case 12 ->
                new StoreReply.Released(
                        some(() -> new StoreReply.ReleasedItem(segment(), number(), random.nextBoolean())));
            case 13 -> new StoreReply.ReceiverRefused(text());
            case 14 -> new StoreReply.FloorRaised(number());
            case 15 -> new StoreReply.FloorRefused(number());
            case 16 -> new StoreReply.SessionLeaving(number());
            case 17 -> new StoreReply.TablesStored(some(random::nextBoolean));
            case 18 ->
                new StoreReply.TablesFetched(
                        some(() -> random.nextBoolean() ? Optional.of(counterTable()) : Optional.empty()));
            case 19 -> new StoreReply.NamespaceCreated(namespace(), random.nextBoolean());
            case 20 -> new StoreReply.NamespaceAltered(namespace());
            case 21 -> new StoreReply.NamespaceRefused(text());
            case 22 -> new StoreReply.ClusterAltered(terms(), defaults());
            case 23 -> new StoreReply.ClusterRefused(text());
            case 24 -> new StoreReply.RenewalUnheard(number());
            default -> new StoreReply.Rejected(text());
        };
    }

    private StoreReply.ClaimedSegment claimedSegment() {
        return new StoreReply.ClaimedSegment(
                segment(), number(), number(), random.nextBoolean(), number(), random.nextBoolean());
    }

    private StoreReply.RaisedItem raisedItem() {
        return new StoreReply.RaisedItem(segment(), number(), random.nextBoolean(), number());
    }

    /** A view of any version above 0. */
    public StoreView view() {
        return new StoreView(
                1 + number() / 2, terms(), some(this::namespace), some(this::member), number(), table(), table());
    }

    private StoreView.Member member() {
        return new StoreView.Member(
                number(),
                oneOf(SessionKind.values()),
                text(),
                text(),
                number(),
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextBoolean());
    }

    private RouteTable table() {
        var table = new RouteTable.Builder();
        int next = 0;
        for (int i = random.nextInt(4); i > 0; i--) {
            int first = next + random.nextInt(3);
            next = first + random.nextInt(1, 4);
            table.add(new RouteRange(1, first, next - 1, number(), number()));
        }
        return table.build(number());
    }
}
