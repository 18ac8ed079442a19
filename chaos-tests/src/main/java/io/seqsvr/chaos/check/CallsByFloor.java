package io.seqsvr.chaos.check;

import java.util.Arrays;

/**
 * How many calls of one user began at each floor and have not been answered. Floors never fall, so a call is added at
 * the end, in O(1) amortised.
 */
final class CallsByFloor {
    private static final int INITIAL = 16;

    private long[] floors = new long[INITIAL];
    private long[] underWay = new long[INITIAL];
    private long[] ended = new long[INITIAL];
    private int head;
    private int tail;

    int size() {
        return tail - head;
    }

    long floor(int index) {
        return floors[head + index];
    }

    /** How many of those at this floor are still under way. */
    long underWay(int index) {
        return underWay[head + index];
    }

    /** How many of those at this floor have ended without an answer. */
    long ended(int index) {
        return ended[head + index];
    }

    /** A call begins; {@code floor} is not below any before. */
    void begin(long floor) {
        if (head == tail || floors[tail - 1] != floor) {
            makeRoom();
            floors[tail] = floor;
            underWay[tail] = 0;
            ended[tail] = 0;
            tail++;
        }
        underWay[tail - 1]++;
    }

    /** One of the calls under way at this floor is answered; false if there is none. */
    boolean answered(long floor) {
        int place = place(floor);
        if (place < 0 || underWay[place] == 0) {
            return false;
        }
        underWay[place]--;
        return true;
    }

    /** One of the calls under way at this floor ends without an answer; false if there is none. */
    boolean abandoned(long floor) {
        if (!answered(floor)) {
            return false;
        }
        ended[place(floor)]++;
        return true;
    }

    /** The smallest floor of a call under way; {@code none} if there is none. */
    long oldest(long none) {
        for (int place = head; place < tail; place++) {
            if (underWay[place] > 0) {
                return floors[place];
            }
        }
        return none;
    }

    void dropFirst() {
        head++;
    }

    private int place(long floor) {
        if (head < tail && floors[tail - 1] == floor) {
            return tail - 1;
        }
        if (head < tail && floors[head] == floor) {
            return head;
        }
        return Arrays.binarySearch(floors, head, tail, floor);
    }

    private void makeRoom() {
        if (tail < floors.length) {
            return;
        }
        int capacity = head < floors.length / 2 ? 2 * floors.length : floors.length;
        floors = moved(floors, capacity);
        underWay = moved(underWay, capacity);
        ended = moved(ended, capacity);
        tail -= head;
        head = 0;
    }

    private long[] moved(long[] from, int capacity) {
        var to = capacity == from.length ? from : new long[capacity];
        System.arraycopy(from, head, to, 0, tail - head);
        return to;
    }
}
