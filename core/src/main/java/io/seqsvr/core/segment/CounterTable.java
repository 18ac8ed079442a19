package io.seqsvr.core.segment;

import java.util.List;
import java.util.stream.Stream;

/**
 * The exact counters of a sealed segment, on their way from one owner to the next.
 *
 * <p>A table counts only for the epoch after its own, and only if it is whole: pages, count and checksum of the
 * counters as they were sealed.
 *
 * @param epoch the epoch that was sealed
 * @param base where its counters started: users of whom the table says nothing stand there
 * @param high the greatest counter
 * @param served number of users of whom the table says something
 * @param checksum over all of them
 * @param pages their counters
 */
public record CounterTable(long epoch, long base, long high, int served, long checksum, List<CounterPage> pages) {
    /** Keeps a copy. */
    public CounterTable {
        pages = List.copyOf(pages);
    }

    /** Of a place, a difference of counters, and whether it is a bound. */
    private static final int MOST_BYTES_OF_USER = 13;

    private static final int MOST_BYTES_OF_PAGE = 24;
    private static final int MOST_BYTES = 80;

    /** A whole table of these pages. */
    static CounterTable of(long epoch, long base, long high, List<CounterPage> pages) {
        return outline(epoch, base, high, pages.stream()).withPages(pages);
    }

    /** A table of these pages, without them. */
    static CounterTable outline(long epoch, long base, long high, Stream<CounterPage> pages) {
        var sum = new Sum();
        pages.forEach(sum::add);
        return new CounterTable(epoch, base, high, sum.served, sum.checksum, List.of());
    }

    /** What pages amount to. */
    private static final class Sum {
        private int served;
        private long checksum;

        void add(CounterPage page) {
            served += page.served();
            checksum += page.checksum();
        }
    }

    /** The same counts with other pages: fewer on their way to a receiver, all of them when they have come. */
    public CounterTable withPages(List<CounterPage> others) {
        return new CounterTable(epoch, base, high, served, checksum, others);
    }

    /** Whether the pages are those that were sealed, and its start is one: no owner could load another. */
    public boolean whole() {
        var sum = new Sum();
        pages.forEach(sum::add);
        return base >= 0 && base <= high && sum.served == served && sum.checksum == checksum;
    }

    /**
     * Whether each page tells of somebody, and each comes once, in their order: so a table that also {@link #fits} has
     * no more pages than users, and none that its segment has not.
     */
    public boolean ordered() {
        int last = -1;
        for (var page : pages) {
            if (page.index() <= last || page.served() == 0) {
                return false;
            }
            last = page.index();
        }
        return true;
    }

    /**
     * Whether every user of the pages exists.
     *
     * @param users number of users of the segment
     */
    public boolean fits(int users) {
        return pages.stream().allMatch(page -> page.fits(users));
    }

    /** How many bytes it takes on the wire, at most: users who are far from all others take more than neighbours. */
    public long mostBytes() {
        return mostBytes(pages.size(), served);
    }

    /** The same of a table with so many pages, of so many users. */
    public static long mostBytes(int pages, int users) {
        return MOST_BYTES + MOST_BYTES_OF_PAGE * (long) pages + MOST_BYTES_OF_USER * (long) users;
    }
}
