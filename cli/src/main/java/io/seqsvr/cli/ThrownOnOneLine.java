package io.seqsvr.cli;

import ch.qos.logback.classic.pattern.ClassicConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What was thrown, at the end of a line that tells of a defect or of what is fatal: its class and where it came from,
 * and the same of what caused it. Their messages may say nothing at all, and without traces a line is all there is.
 */
public final class ThrownOnOneLine extends ClassicConverter {
    /** In a pattern it stands for this. */
    static final String WORD = "thrown";

    private static final List<String> EVENTS = List.of("event=defect ", "event=fatal ");
    private static final int MOST_THROWN = 3;
    private static final int MOST_PLACES = 5;

    /** For Logback. */
    public ThrownOnOneLine() {}

    @Override
    public String convert(ILoggingEvent event) {
        var text = new StringBuilder();
        if (EVENTS.stream().anyMatch(event.getMessage()::startsWith)) {
            var thrown = event.getThrowableProxy();
            for (int told = 0; thrown != null && told < MOST_THROWN; told++) {
                text.append(told == 0 ? " thrown=" : " caused_by=").append(thrown.getClassName());
                text.append(" at=\"").append(places(thrown)).append('"');
                thrown = thrown.getCause();
            }
        }
        return text.toString();
    }

    private static String places(IThrowableProxy thrown) {
        return Arrays.stream(thrown.getStackTraceElementProxyArray())
                .limit(MOST_PLACES)
                .map(StackTraceElementProxy::getStackTraceElement)
                .map(StackTraceElement::toString)
                .collect(Collectors.joining(" < "));
    }
}
