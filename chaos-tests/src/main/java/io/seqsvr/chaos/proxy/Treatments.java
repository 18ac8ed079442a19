package io.seqsvr.chaos.proxy;

import io.seqsvr.chaos.proxy.Parcel.Data;
import io.seqsvr.chaos.proxy.Parcel.Last;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** The treatment of each effect. */
final class Treatments {
    /** A slow line hands on what it carries in such a time, not a long read as a whole at its end. */
    private static final int PIECES_PER_SECOND = 10;

    private Treatments() {}

    static Treatment of(Effect effect, SplittableRandom random) {
        if (effect instanceof Effect.Latency latency) {
            return latency(latency, random);
        }
        if (effect instanceof Effect.Bandwidth bandwidth) {
            return bandwidth(bandwidth);
        }
        if (effect instanceof Effect.SlowClose slowClose) {
            return slowClose(slowClose);
        }
        if (effect instanceof Effect.Timeout timeout) {
            return new Loss(timeout.timeoutMillis());
        }
        if (effect instanceof Effect.ResetPeer resetPeer) {
            return new Doom(resetPeer.timeoutMillis());
        }
        if (effect instanceof Effect.Slicer slicer) {
            return slicer(slicer, random);
        }
        if (effect instanceof Effect.LimitData limit) {
            return limit(limit);
        }
        return new Hole();
    }

    private static Treatment latency(Effect.Latency latency, SplittableRandom random) {
        return (parcel, line) -> {
            long jitter = latency.jitterMillis() == 0
                    ? 0
                    : random.nextLong(-latency.jitterMillis(), latency.jitterMillis() + 1);
            long delayMillis = Math.max(0, latency.latencyMillis() + jitter);
            line.add(parcel, line.nowNanos() + TimeUnit.MILLISECONDS.toNanos(delayMillis));
        };
    }

    private static Treatment bandwidth(Effect.Bandwidth bandwidth) {
        long bytesPerSecond = bandwidth.rateKilobytes() * 1_000;
        int piece = (int) Math.min(Integer.MAX_VALUE, bytesPerSecond / PIECES_PER_SECOND);
        return (parcel, line) -> {
            if (!(parcel instanceof Data data)) {
                line.add(parcel, line.lastDueNanos());
                return;
            }
            for (int at = 0; at < data.length(); ) {
                int until = (int) Math.min(data.length(), (long) at + piece);
                long takesNanos = TimeUnit.SECONDS.toNanos(until - at) / bytesPerSecond;
                line.add(part(data, at, until), line.lastDueNanos() + takesNanos);
                at = until;
            }
        };
    }

    private static Treatment slowClose(Effect.SlowClose slowClose) {
        long delayNanos = TimeUnit.MILLISECONDS.toNanos(slowClose.delayMillis());
        return (parcel, line) -> line.add(parcel, line.nowNanos() + (parcel instanceof Data ? 0 : delayNanos));
    }

    private static Treatment slicer(Effect.Slicer slicer, SplittableRandom random) {
        long delayNanos = TimeUnit.MICROSECONDS.toNanos(slicer.delayMicros());
        return (parcel, line) -> {
            if (!(parcel instanceof Data data)) {
                line.add(parcel, line.lastDueNanos());
                return;
            }
            for (int at = 0; at < data.length(); ) {
                long size = slicer.averageBytes()
                        - slicer.variationBytes()
                        + random.nextLong(2 * slicer.variationBytes() + 1);
                int until = (int) Math.min(data.length(), at + size);
                line.add(part(data, at, until), line.lastDueNanos() + delayNanos);
                at = until;
            }
        };
    }

    private static Treatment limit(Effect.LimitData limit) {
        return (parcel, line) -> {
            long left = Math.max(0, limit.bytes() - line.passedBytes());
            if (!(parcel instanceof Data data) || data.length() < left) {
                line.add(parcel, line.nowNanos());
                return;
            }
            if (left > 0) {
                line.add(part(data, 0, (int) left), line.nowNanos());
            }
            line.add(Last.CLOSE, line.nowNanos());
        };
    }

    private static Data part(Data data, int from, int until) {
        return from == 0 && until == data.length()
                ? data
                : new Data(data.bytes().slice(from, until));
    }

    /** Holds everything back. */
    private static final class Hole implements Treatment {
        @Override
        public void take(Parcel parcel, Line line) {
            line.add(parcel, NEVER_NANOS);
        }

        @Override
        public boolean holdsAll() {
            return true;
        }
    }

    /** Loses bytes, and closes after a time. The end of the stream waits: it would close the connection too soon. */
    private record Loss(long timeoutMillis) implements Treatment {
        @Override
        public void take(Parcel parcel, Line line) {
            if (parcel instanceof Data) {
                line.lose(parcel);
            } else {
                line.add(parcel, NEVER_NANOS);
            }
        }

        @Override
        public Optional<Deadline> deadline() {
            return timeoutMillis == 0
                    ? Optional.empty()
                    : Optional.of(new Deadline(TimeUnit.MILLISECONDS.toNanos(timeoutMillis), Last.CLOSE));
        }
    }

    /** Lets everything pass until the reset. */
    private record Doom(long timeoutMillis) implements Treatment {
        @Override
        public void take(Parcel parcel, Line line) {
            line.add(parcel, line.nowNanos());
        }

        @Override
        public Optional<Deadline> deadline() {
            return Optional.of(new Deadline(TimeUnit.MILLISECONDS.toNanos(timeoutMillis), Last.RESET));
        }
    }
}
