package io.seqsvr.cli;

import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.core.store.StoreView.Member;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Segments on their way to one allocator: orders to those that own them, given again while they are waited for. */
final class SegmentMove implements Until.Goal {
    /** An owner to which the receiver was silent for two seconds keeps its segment, and tells nobody. */
    static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** Neighbouring segments. */
    record Segments(int first, int last) {
        int size() {
            return last - first + 1;
        }

        int overlap(int from, int to) {
            return Math.max(0, Math.min(last, to) - Math.max(first, from) + 1);
        }
    }

    /** The line to owners. */
    @FunctionalInterface
    interface Orders {
        /** Has an owner hand over what it has of these, and is not already handing over. */
        void give(Member owner, List<RouteRange> segments) throws StoreFailure;
    }

    private final int namespaceId;
    private final List<Segments> segments;
    private final Member receiver;
    private final Orders orders;
    private long orderedNanos;
    /** Why an owner may not have heard the last order. */
    private Optional<StoreFailure> trouble = Optional.empty();

    /** Of one namespace; nothing is ordered yet. */
    SegmentMove(int namespaceId, List<Segments> segments, Member receiver, Orders orders) {
        this.namespaceId = namespaceId;
        this.segments = List.copyOf(segments);
        this.receiver = receiver;
        this.orders = orders;
    }

    /**
     * Orders for the first time: all owners are asked, whatever comes of some.
     *
     * @throws StoreFailure that says which began and which did not, if not all did
     */
    void begin(StoreView view, long nowNanos) throws StoreFailure {
        var began = new ArrayList<String>();
        var failures = order(view, nowNanos, began);
        if (!failures.isEmpty()) {
            throw StoreFailure.ofSome(began, failures);
        }
    }

    @Override
    public void again(StoreView view, long nowNanos) {
        if (nowNanos - orderedNanos >= AGAIN_NANOS) {
            trouble = order(view, nowNanos, new ArrayList<>()).stream().findFirst();
        }
    }

    private List<StoreFailure> order(StoreView view, long nowNanos, List<String> began) {
        orderedNanos = nowNanos;
        var failures = new ArrayList<StoreFailure>();
        elsewhere(view).forEach((owner, ranges) -> {
            try {
                orders.give(owner, ranges);
                began.add(owner.name());
            } catch (StoreFailure failed) {
                failures.add(failed);
            }
        });
        return failures;
    }

    /** What others own of them that can be asked. */
    private Map<Member, List<RouteRange>> elsewhere(StoreView view) {
        var elsewhere = new LinkedHashMap<Member, List<RouteRange>>();
        for (var range : view.routes().ranges()) {
            var owner = view.session(range.owner());
            if (owner.isPresent() && range.namespaceId() == namespaceId && range.owner() != receiver.id()) {
                var cut = cut(range);
                if (!cut.isEmpty()) {
                    elsewhere
                            .computeIfAbsent(owner.get(), first -> new ArrayList<>())
                            .addAll(cut);
                }
            }
        }
        return elsewhere;
    }

    /** What of a range is to move. */
    private List<RouteRange> cut(RouteRange range) {
        return segments.stream()
                .filter(some -> some.overlap(range.first(), range.last()) > 0)
                .map(some -> new RouteRange(
                        range.namespaceId(),
                        Math.max(range.first(), some.first()),
                        Math.min(range.last(), some.last()),
                        range.owner(),
                        range.epoch()))
                .toList();
    }

    @Override
    public long left(StoreView view) {
        long left = 0;
        for (var some : segments) {
            left += some.size();
            for (var range : view.routes().ranges()) {
                left -= range.owner() == receiver.id() && range.namespaceId() == namespaceId
                        ? some.overlap(range.first(), range.last())
                        : 0;
            }
        }
        return left;
    }

    @Override
    public String unfinished(StoreView view, long left) {
        if (view.session(receiver.id()).filter(Member::mayReceive).isEmpty()) {
            return left + " segments are not at " + receiver.name() + ", and stay where they are: " + receiver.name()
                    + " is given nothing more, as it drains, stops, was expelled or has ended";
        }
        return left + " segments are not at " + receiver.name() + " yet"
                + trouble.map(failed -> " (" + failed.getMessage() + ")").orElse("")
                + "; what is on its way goes on, the rest stays: 'seqsvr nodes' shows how far it is, and the command"
                + " may be repeated";
    }
}
