package io.seqsvr.chaos.check;

import java.util.Arrays;

/**
 * Ranges of sequences in the order of their first ones, in arrays that grow and are then used again. To add at the end
 * and to drop from the front costs O(1) amortised; elsewhere what lies behind is moved.
 */
final class Spans {
    private static final int INITIAL = 16;

    private long[] firsts = new long[INITIAL];
    private long[] lasts = new long[INITIAL];
    private int head;
    private int tail;

    int size() {
        return tail - head;
    }

    long first(int index) {
        return firsts[head + index];
    }

    long last(int index) {
        return lasts[head + index];
    }

    /** Index of the last span that begins at or below {@code sequence}, or -1. */
    int at(long sequence) {
        if (head == tail || firsts[tail - 1] <= sequence) {
            return tail - 1 - head;
        }
        int found = Arrays.binarySearch(firsts, head, tail, sequence);
        return (found >= 0 ? found : -found - 2) - head;
    }

    /** Two that begin at the same sequence become one, as long as the longer of them. */
    void add(long first, long last) {
        int before = at(first);
        if (before >= 0 && first(before) == first) {
            lasts[head + before] = Math.max(last(before), last);
            return;
        }
        makeRoom();
        int place = head + before + 1;
        System.arraycopy(firsts, place, firsts, place + 1, tail - place);
        System.arraycopy(lasts, place, lasts, place + 1, tail - place);
        firsts[place] = first;
        lasts[place] = last;
        tail++;
    }

    void remove(int index) {
        int place = head + index;
        System.arraycopy(firsts, place + 1, firsts, place, tail - place - 1);
        System.arraycopy(lasts, place + 1, lasts, place, tail - place - 1);
        tail--;
    }

    void dropFirst() {
        head++;
    }

    /** Drops from the front what ends below {@code sequence}; how many that were. */
    int dropBelow(long sequence) {
        int from = head;
        while (head < tail && lasts[head] < sequence) {
            head++;
        }
        return head - from;
    }

    private void makeRoom() {
        if (tail < firsts.length) {
            return;
        }
        int size = size();
        boolean grow = head < firsts.length / 2;
        var movedFirsts = grow ? new long[2 * firsts.length] : firsts;
        var movedLasts = grow ? new long[2 * lasts.length] : lasts;
        System.arraycopy(firsts, head, movedFirsts, 0, size);
        System.arraycopy(lasts, head, movedLasts, 0, size);
        firsts = movedFirsts;
        lasts = movedLasts;
        head = 0;
        tail = size;
    }
}
