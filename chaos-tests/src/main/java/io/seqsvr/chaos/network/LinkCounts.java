package io.seqsvr.chaos.network;

/**
 * What a link has done so far, in frames.
 *
 * @param carried those that came out of it
 * @param lost those that did not, on purpose or because too many waited
 * @param delayed those that had to wait
 * @param doubled those that came twice
 * @param overtaken those that were held back until others had overtaken them
 * @param damaged those with a bit flipped
 * @param reset those that became a reset
 */
public record LinkCounts(
        long carried, long lost, long delayed, long doubled, long overtaken, long damaged, long reset) {
    /** Nothing so far. */
    public static final LinkCounts NONE = new LinkCounts(0, 0, 0, 0, 0, 0, 0);

    private static final int FIELDS = 7;

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
                Long.parseLong(fields[5]),
                Long.parseLong(fields[6]));
    }

    /** What came on top since then. */
    public LinkCounts since(LinkCounts before) {
        return new LinkCounts(
                carried - before.carried,
                lost - before.lost,
                delayed - before.delayed,
                doubled - before.doubled,
                overtaken - before.overtaken,
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
                overtaken + other.overtaken,
                damaged + other.damaged,
                reset + other.reset);
    }

    /**
     * Whether each thing that a link was to do has happened to a frame at least.
     */
    public boolean show(LinkState state) {
        boolean late = !state.delay().isZero()
                || !state.jitter().isZero()
                || !state.spike().isZero()
                || state.kilobits() > 0;
        return (state.loss() == 0 || lost > 0)
                && (!late || delayed > 0)
                && (state.doubling() == 0 || doubled > 0)
                && (state.reordering() == 0 || overtaken > 0)
                && (state.damage() == 0 || damaged > 0)
                && (state.resets() == 0 || reset > 0);
    }
}
