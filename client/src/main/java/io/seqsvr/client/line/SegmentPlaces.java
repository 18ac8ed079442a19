package io.seqsvr.client.line;

import java.util.Arrays;

/** At which place of a column a segment stands; emptied and used again for frame after frame. */
public final class SegmentPlaces {
    private int[] segments = new int[64];
    private int[] places = new int[64];
    /** In which use an entry was made: all others are empty. */
    private int[] uses = new int[64];

    private int use = 1;
    private int size;

    /** Takes every segment out. */
    public void clear() {
        size = 0;
        if (++use == 0) {
            Arrays.fill(uses, 0);
            use = 1;
        }
    }

    /** The place of a segment, -1 if it has none. */
    public int get(int segment) {
        int at = find(segment);
        return uses[at] == use ? places[at] : -1;
    }

    /** A segment stands at that place. */
    public void put(int segment, int place) {
        if (2 * size >= segments.length) {
            grow();
        }
        int at = find(segment);
        if (uses[at] != use) {
            size++;
        }
        segments[at] = segment;
        places[at] = place;
        uses[at] = use;
    }

    /** The entry of a segment, or the empty one that it would get. */
    private int find(int segment) {
        int mask = segments.length - 1;
        int at = (segment * 0x9e3779b9) >>> 7 & mask;
        while (uses[at] == use && segments[at] != segment) {
            at = at + 1 & mask;
        }
        return at;
    }

    private void grow() {
        int[] oldSegments = segments;
        int[] oldPlaces = places;
        int[] oldUses = uses;
        segments = new int[2 * oldSegments.length];
        places = new int[2 * oldSegments.length];
        uses = new int[2 * oldSegments.length];
        for (int i = 0; i < oldSegments.length; i++) {
            if (oldUses[i] == use) {
                int at = find(oldSegments[i]);
                segments[at] = oldSegments[i];
                places[at] = oldPlaces[i];
                uses[at] = use;
            }
        }
    }
}
