package io.seqsvr.chaos.network;

/**
 * What a link has done so far, in frames.
 *
 * @param carried those that came out of it
 * @param lost those that did not, on purpose or because too many waited
 * @param delayed those that had to wait
 * @param doubled those that came twice
 * @param damaged those with a bit flipped
 * @param reset those that became a reset
 */
public record LinkCounts(long carried, long lost, long delayed, long doubled, long damaged, long reset) {
    /** Nothing so far. */
    public static final LinkCounts NONE = new LinkCounts(0, 0, 0, 0, 0, 0);

    private static final int FIELDS = 6;

    static LinkCounts parse(String line) {
        var fields = line.split(" ", -1);
        if (fields.length != FIELDS) {
            throw new IllegalStateException("the switch answers \"" + line + "\"");
        }
        return new LinkCounts(
                Long.parseLong(fields[0]),
                Long.parseLong(fields[1]),
                Long.parseLong(fields[2]),
                Long.parseLong(fields[3]),
                Long.parseLong(fields[4]),
                Long.parseLong(fields[5]));
    }

    /** What came on top since then. */
    public LinkCounts since(LinkCounts before) {
        return new LinkCounts(
                carried - before.carried,
                lost - before.lost,
                delayed - before.delayed,
                doubled - before.doubled,
                damaged - before.damaged,
                reset - before.reset);
    }

    /** Both together. */
    public LinkCounts plus(LinkCounts other) {
        return new LinkCounts(
                carried + other.carried,
                lost + other.lost,
                delayed + other.delayed,
                doubled + other.doubled,
                damaged + other.damaged,
                reset + other.reset);
    }

    /** Whether it did to any frame what a clean link does to none; resets apart, which nodes send by themselves too. */
    public boolean anyTouched() {
        return lost + delayed + doubled + damaged > 0;
    }
}
