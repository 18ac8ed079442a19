package io.seqsvr.core.share;

/**
 * The parts of a namespace that are given away as one. A namespace is made for more users than it has, and uids mostly
 * begin at 0; so no part is longer than a sixteenth of an owner's share of what lies before it, and one segment at
 * least. Where parts go in turn, as {@link SharesSoFar} has it, every beginning of a namespace is shared about
 * equally, and the table of a namespace of any size stays short: it has some parts for each doubling.
 */
public final class Stripes {
    private static final int PARTS_OF_A_SHARE = 16;

    private Stripes() {}

    /**
     * The last segment of the part that a segment lies in. The same for five owners as for eight, so that parts mostly
     * stay as they are when one comes or goes.
     *
     * @param segment from 0
     * @param owners at least 1
     */
    public static int end(int segment, int owners) {
        long parts = (long) PARTS_OF_A_SHARE * ceilingPowerOfTwo(owners);
        // A power of two, or 0 where not even one segment is little enough.
        int length = (int) (Integer.highestOneBit(segment) / parts);
        return segment | Math.max(0, length - 1);
    }

    /** By how many segments one owner may be ahead of another where so many lie before. */
    static long tolerance(long segmentsBefore, int owners) {
        return Math.max(1, segmentsBefore / ((long) PARTS_OF_A_SHARE * owners));
    }

    private static int ceilingPowerOfTwo(int number) {
        return number <= 1 ? 1 : Integer.highestOneBit(number - 1) << 1;
    }
}
