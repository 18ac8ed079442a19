package io.seqsvr.chaos.clock;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** A process that tells its clocks for each line; for one with a number after it has waited so many milliseconds. */
final class ClockProgram {
    private ClockProgram() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            if (!line.isEmpty()) {
                var lock = new Object();
                synchronized (lock) {
                    lock.wait(Long.parseLong(line));
                }
            }
            System.out.println(System.nanoTime() + " " + System.currentTimeMillis());
        }
    }
}
