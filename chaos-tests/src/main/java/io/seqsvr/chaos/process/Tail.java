package io.seqsvr.chaos.process;

import java.util.ArrayDeque;
import java.util.Deque;

/** The last lines that a process wrote, for the error message that may need them. */
final class Tail {
    private static final int LINES = 200;

    private final Deque<String> lines = new ArrayDeque<>();

    synchronized void add(String line) {
        if (lines.size() == LINES) {
            lines.removeFirst();
        }
        lines.addLast(line);
    }

    @Override
    public synchronized String toString() {
        return String.join(System.lineSeparator(), lines);
    }
}
