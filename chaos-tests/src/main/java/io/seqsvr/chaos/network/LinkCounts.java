package io.seqsvr.chaos.network;

/**
 * What a link has done so far, in frames.
 *
 * @param carried those that came out of it
 * @param lost those that did not, on purpose or because too many waited
 * @param delayed those that had to wait
 * @param doubled those that came twice
 * @param damaged those with a bit flipped
 */
public record LinkCounts(long carried, long lost, long delayed, long doubled, long damaged) {
    private static final int FIELDS = 5;

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
                Long.parseLong(fields[4]));
    }

    /** What came on top since then. */
    public LinkCounts since(LinkCounts before) {
        return new LinkCounts(
                carried - before.carried,
                lost - before.lost,
                delayed - before.delayed,
                doubled - before.doubled,
                damaged - before.damaged);
    }

    /** Both together. */
    public LinkCounts plus(LinkCounts other) {
        return new LinkCounts(
                carried + other.carried,
                lost + other.lost,
                delayed + other.delayed,
                doubled + other.doubled,
                damaged + other.damaged);
    }

    /** Whether it did to any frame what a clean link does to none. */
    public boolean anyTouched() {
        return lost + delayed + doubled + damaged > 0;
    }
}
