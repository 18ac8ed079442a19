package io.seqsvr.chaos.report;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** How figures are written for people: three digits and a unit that fits. */
final class Units {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private Units() {}

    /** With thousands apart. */
    static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** "100 us", "10 ms" or "1 s", for a power of ten that is at least 1. */
    static String powerOfTenMicros(double micros) {
        if (micros < 1e3) {
            return Math.round(micros) + " \u00b5s";
        }
        return micros < 1e6 ? Math.round(micros / 1e3) + " ms" : count(Math.round(micros / 1e6)) + " s";
    }

    /** "312 ms" or "4.70 s". */
    static String millis(long millis) {
        return millis < 1_000 ? millis + " ms" : digits(millis / 1e3) + " s";
    }

    /** "40 s", "10 min", "1 h 5 min". */
    static String span(double seconds) {
        long whole = Math.round(seconds);
        if (whole < 120) {
            return whole + " s";
        }
        long minutes = Math.round(seconds / 60);
        if (minutes < 60) {
            return minutes + " min";
        }
        return minutes / 60 + " h" + (minutes % 60 == 0 ? "" : " " + minutes % 60 + " min");
    }

    /** "4:05" or "1:04:05", since a run's begin. */
    static String sinceBegin(long millis) {
        long seconds = Math.max(0, millis) / 1_000;
        return seconds < 3_600
                ? String.format(Locale.ROOT, "%d:%02d", seconds / 60, seconds % 60)
                : String.format(Locale.ROOT, "%d:%02d:%02d", seconds / 3_600, seconds / 60 % 60, seconds % 60);
    }

    /** To the second, in UTC. */
    static String time(Instant instant) {
        return TIME.format(instant);
    }

    private static String digits(double number) {
        var format = number < 10 ? "%.2f" : number < 100 ? "%.1f" : "%,.0f";
        return String.format(Locale.ROOT, format, number);
    }
}
