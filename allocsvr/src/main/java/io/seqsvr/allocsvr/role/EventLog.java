package io.seqsvr.allocsvr.role;

import io.seqsvr.core.alloc.AllocatorEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One log line for each change of an allocator's state. */
final class EventLog {
    private static final Logger LOG = LoggerFactory.getLogger(AllocatorLoop.class);

    private EventLog() {}

    static void write(AllocatorEvent event) {
        if (event instanceof AllocatorEvent.SegmentsLoaded loaded) {
            LOG.info(
                    "event=segments_loaded namespace={} segment={}-{} epoch={} session={} version={}",
                    loaded.namespaceId(),
                    loaded.first(),
                    loaded.last(),
                    loaded.epoch(),
                    loaded.session(),
                    loaded.version());
        } else if (event instanceof AllocatorEvent.SegmentDropped dropped) {
            LOG.info(
                    "event=segment_dropped namespace={} segment={} epoch={} session={}",
                    dropped.namespaceId(),
                    dropped.segment(),
                    dropped.epoch(),
                    dropped.session());
        } else if (event instanceof AllocatorEvent.SegmentReleased released) {
            LOG.info(
                    "event=segment_released namespace={} segment={} epoch={} session={} high={}",
                    released.namespaceId(),
                    released.segment(),
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
        } else if (event instanceof AllocatorEvent.SessionOpened opened) {
            LOG.info("event=session_opened session={} ttl_ms={}", opened.session(), opened.ttlMillis());
        } else if (event instanceof AllocatorEvent.SessionHeld held) {
            LOG.info(
                    "event=session_held holder={} name={} address={} retry_ms={}",
                    held.holder(),
                    held.name(),
                    held.address(),
                    held.waitMillis());
        } else if (event instanceof AllocatorEvent.SessionLost lost) {
            LOG.warn("event=session_lost session={} reason=\"{}\"", lost.session(), lost.reason());
        } else if (event instanceof AllocatorEvent.LeaseDropped dropped) {
            LOG.warn("event=lease_dropped session={} reason=\"the clocks disagree\"", dropped.session());
        } else {
            throw new IllegalStateException("no line for " + event);
        }
    }
}
