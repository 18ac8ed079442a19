package io.seqsvr.node.server;

import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The header {@code grpc-timeout}: how long a caller waits. */
final class GrpcTimeout {
    private static final Pattern TIMEOUT = Pattern.compile("\\d{1,8}[HMSmun]");
    /** Longer than any stream lives. */
    private static final long MOST_MILLIS = TimeUnit.DAYS.toMillis(30);

    private GrpcTimeout() {}

    /** How many milliseconds, rounded up, at least 1; 0 if the header is missing or says nothing. */
    static long millis(@Nullable String header) {
        if (header == null || !TIMEOUT.matcher(header).matches()) {
            return 0;
        }
        int end = header.length() - 1;
        long value = Long.parseLong(header, 0, end, 10);
        long nanos = unit(header.charAt(end)).toNanos(value);
        long millis = nanos / 1_000_000 + (nanos % 1_000_000 == 0 ? 0 : 1);
        return Math.max(1, Math.min(MOST_MILLIS, millis));
    }

    private static TimeUnit unit(char letter) {
        return switch (letter) {
            case 'H' -> TimeUnit.HOURS;
            case 'M' -> TimeUnit.MINUTES;
            case 'S' -> TimeUnit.SECONDS;
            case 'm' -> TimeUnit.MILLISECONDS;
            case 'u' -> TimeUnit.MICROSECONDS;
            default -> TimeUnit.NANOSECONDS;
        };
    }
}
