package io.seqsvr.allocsvr.role;

import io.seqsvr.core.alloc.AllocatorEvent;
import io.seqsvr.core.session.RoleEvent;
import io.seqsvr.core.session.SessionEvent;
import io.seqsvr.storeclient.SessionLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One log line for each change of an allocator's state. */
final class EventLog {
    private static final Logger LOG = LoggerFactory.getLogger(AllocatorLoop.class);

    private EventLog() {}

    static void write(RoleEvent event) {
        if (event instanceof AllocatorEvent.SegmentsLoaded loaded) {
            LOG.info(
                    "event=segments_loaded namespace={} segment={}-{} epoch={} session={} version={} began={}",
                    loaded.namespaceId(),
                    loaded.first(),
                    loaded.last(),
                    loaded.epoch(),
                    loaded.session(),
                    loaded.version(),
                    loaded.began());
        } else if (event instanceof AllocatorEvent.SegmentDropped dropped) {
            LOG.info(
                    "event=segment_dropped namespace={} segment={} epoch={} session={}",
                    dropped.namespaceId(),
                    dropped.segment(),
                    dropped.epoch(),
                    dropped.session());
        } else if (event instanceof AllocatorEvent.SegmentsReleased released) {
            LOG.info(
                    "event=segments_released namespace={} segment={}-{} epoch={} session={} high={}",
                    released.namespaceId(),
                    released.first(),
                    released.last(),
                    released.epoch(),
                    released.session(),
                    released.high());
        } else if (event instanceof AllocatorEvent.CountersNotStored lost) {
            LOG.warn(
                    "event=counters_not_stored session={} namespace={} segment={} epoch={} users={}",
                    lost.session(),
                    lost.namespaceId(),
                    lost.segment(),
                    lost.epoch(),
                    lost.users());
        } else if (event instanceof SessionEvent session) {
            SessionLog.write(session);
        } else {
            throw new IllegalStateException("no line for " + event);
        }
    }
}
