package io.seqsvr.core.failover;

import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.core.store.StoreView.Member;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which living owners hand segments over to which others, so that all own equally many: a pure function of what is seen
 * of the cluster. It moves as few segments as that takes, and none while nobody is further from its share than a tenth
 * of it, or one segment: so it comes to rest, and leaves alone what an operator moved. As long as a segment has no
 * living owner there is no such plan.
 */
public final class BalancePlan {
    private static final int TOLERATED_PART = 10;

    private BalancePlan() {}

    /**
     * What one owner is to hand over to one other session.
     *
     * @param owner session of the owner
     * @param to session of the receiver
     * @param segments neighbouring segments, in ranges of one owner and epoch
     */
    public record Order(Member owner, Member to, List<RouteRange> segments) {
        /** Keeps a copy. */
        public Order {
            segments = List.copyOf(segments);
        }
    }

    private static final class Account {
        final Member member;
        final Deque<RouteRange> ranges = new ArrayDeque<>();
        long owned;
        /** Above 0 what it is to give, below 0 what it is to get. */
        long excess;

        Account(Member member) {
            this.member = member;
        }
    }

    /**
     * Plans.
     *
     * @param view what is seen of the cluster
     * @param limit segments at most
     * @return orders; empty if all own equally many, or something is without a living owner
     */
    public static List<Order> of(StoreView view, long limit) {
        var accounts = accounts(view);
        if (accounts.size() < 2 || !AssignmentPlan.complete(view)) {
            return List.of();
        }
        long total = 0;
        for (var account : accounts) {
            total += account.owned;
        }
        long share = total / accounts.size();
        long larger = total % accounts.size();
        // Those that own most keep the larger shares: fewer segments move.
        for (var account : accounts) {
            account.excess = account.owned - share - (larger > 0 ? 1 : 0);
            larger--;
        }
        long tolerated = Math.max(1, share / TOLERATED_PART);
        return accounts.stream().allMatch(account -> Math.abs(account.excess) <= tolerated)
                ? List.of()
                : orders(accounts, limit);
    }

    /** All that may receive, those that own most first. */
    private static List<Account> accounts(StoreView view) {
        Map<Long, Account> bySession = new HashMap<>();
        var accounts = new ArrayList<Account>();
        for (var member : view.receivers()) {
            var account = new Account(member);
            bySession.put(member.id(), account);
            accounts.add(account);
        }
        for (var range : view.routes().ranges()) {
            var account = bySession.get(range.owner());
            if (account != null) {
                account.ranges.add(range);
                account.owned += range.size();
            }
        }
        accounts.sort(Comparator.comparingLong((Account account) -> -account.owned));
        return accounts;
    }

    private static List<Order> orders(List<Account> accounts, long limit) {
        var orders = new ArrayList<Order>();
        long left = limit;
        int taker = accounts.size() - 1;
        for (var donor : accounts) {
            while (donor.excess > 0 && left > 0) {
                while (accounts.get(taker).excess >= 0) {
                    taker--;
                }
                var receiver = accounts.get(taker);
                long size = Math.min(Math.min(donor.excess, -receiver.excess), left);
                orders.add(new Order(donor.member, receiver.member, cut(donor.ranges, size)));
                donor.excess -= size;
                receiver.excess += size;
                left -= size;
            }
        }
        return orders;
    }

    /** The last segments of an owner. */
    private static List<RouteRange> cut(Deque<RouteRange> ranges, long size) {
        var cut = new ArrayList<RouteRange>();
        long left = size;
        while (left > 0) {
            var range = ranges.removeLast();
            int first = (int) Math.max(range.first(), range.last() - left + 1);
            cut.add(new RouteRange(range.namespaceId(), first, range.last(), range.owner(), range.epoch()));
            left -= range.last() - first + 1;
            if (first > range.first()) {
                ranges.addLast(
                        new RouteRange(range.namespaceId(), range.first(), first - 1, range.owner(), range.epoch()));
            }
        }
        return cut;
    }
}
