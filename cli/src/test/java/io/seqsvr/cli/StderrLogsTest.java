package io.seqsvr.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import java.nio.charset.StandardCharsets;
import java.util.ConcurrentModificationException;
import org.junit.jupiter.api.Test;

/** The lines of a log as an operator sees them. */
class StderrLogsTest {
    private final LoggerContext context = new LoggerContext();

    private String line(String message, Throwable thrown) {
        var logs = new StderrLogs();
        logs.setContext(context);
        logs.configure(context);
        var root = context.getLogger("ROOT");
        var encoder = ((ConsoleAppender<ILoggingEvent>) root.getAppender("stderr")).getEncoder();
        var event = new LoggingEvent(
                "any", context.getLogger("io.seqsvr.Some"), Level.ERROR, message, thrown, new Object[] {"next", null});
        return new String(encoder.encode(event), StandardCharsets.UTF_8);
    }

    private static String where(Throwable thrown) {
        return " thrown=" + thrown.getClass().getName() + " at=\"" + thrown.getStackTrace()[0] + " < ";
    }

    @Test
    void aDefectWithoutAMessageTellsItsClassAndWhereItCameFrom() {
        var defect = new ConcurrentModificationException();
        var line = line("event=defect verb={} error=\"{}\"", defect);
        assertTrue(line.contains(" Some event=defect verb=next error=\"null\"" + where(defect)), line);
        assertTrue(where(defect).contains("StderrLogsTest.java:"), where(defect));
        assertEquals(1, line.lines().count(), line);
    }

    @Test
    void soDoesWhatIsFatalWithItsCause() {
        var cause = new ConcurrentModificationException();
        var fatal = new IllegalStateException(cause);
        var line = line("event=fatal error=\"{}\"", fatal);
        assertTrue(line.contains(where(fatal)), line);
        assertTrue(line.contains(where(cause).replace(" thrown=", " caused_by=")), line);
        assertEquals(1, line.lines().count(), line);
    }

    @Test
    void otherLinesSayWhatTheyAreToSayAndNoMore() {
        var line = line("event=watch_failed verb={} error=\"{}\"", new ConcurrentModificationException());
        assertTrue(line.endsWith(" ERROR Some event=watch_failed verb=next error=\"null\"\n"), line);
    }
}
