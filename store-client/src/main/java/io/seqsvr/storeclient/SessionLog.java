package io.seqsvr.storeclient;

import io.seqsvr.core.session.SessionEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One log line for each change of a process's session. */
public final class SessionLog {
    private static final Logger LOG = LoggerFactory.getLogger(SessionLog.class);

    private SessionLog() {}

    /** Writes the line. */
    public static void write(SessionEvent event) {
        if (event instanceof SessionEvent.SessionOpened opened) {
            LOG.info("event=session_opened session={} ttl_ms={}", opened.session(), opened.ttlMillis());
        } else if (event instanceof SessionEvent.SessionHeld held) {
            LOG.info(
                    "event=session_held holder={} name={} address={} retry_ms={}",
                    held.holder(),
                    held.name(),
                    held.address(),
                    held.waitMillis());
        } else if (event instanceof SessionEvent.SessionRefused refused) {
            LOG.warn("event=session_refused retry_ms={} reason=\"{}\"", refused.waitMillis(), refused.reason());
        } else if (event instanceof SessionEvent.SessionLost lost) {
            LOG.warn("event=session_lost session={} reason=\"{}\"", lost.session(), lost.reason());
        } else if (event instanceof SessionEvent.LeaseDropped dropped) {
            LOG.warn("event=lease_dropped session={} reason=\"the clocks disagree\"", dropped.session());
        } else {
            throw new IllegalStateException("no line for " + event);
        }
    }
}
