package io.seqsvr.cli;

import java.time.Duration;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a time from 1 ms to 1 min as settings spell it. */
final class TimeConverter implements ITypeConverter<Duration> {
    private static final Pattern TIME = Pattern.compile("(\\d{1,6})(ms|s|m)");
    private static final Duration LONGEST = Duration.ofMinutes(1);

    @Override
    public Duration convert(String text) {
        var parts = TIME.matcher(text);
        if (parts.matches()) {
            long amount = Long.parseLong(parts.group(1));
            var time = switch (parts.group(2)) {
                case "ms" -> Duration.ofMillis(amount);
                case "s" -> Duration.ofSeconds(amount);
                default -> Duration.ofMinutes(amount);
            };
            if (!time.isZero() && time.compareTo(LONGEST) <= 0) {
                return time;
            }
        }
        throw new TypeConversionException("'" + text + "' is no time such as 500ms, 3s or 1m, from 1ms to 1m");
    }

    /** The same time as settings spell it. */
    static String text(long nanos) {
        if (nanos % 1_000_000_000 == 0) {
            return nanos / 1_000_000_000 + "s";
        }
        return nanos % 1_000_000 == 0 ? nanos / 1_000_000 + "ms" : nanos + "ns";
    }
}
