package io.seqsvr.chaos.proxy;

/**
 * What a toxic does to what passes in its direction. All but {@link Blackhole} do what the toxic of the same type does
 * in Toxiproxy. Constructors throw {@link IllegalArgumentException} for an amount out of range; times are a day at
 * most.
 */
public sealed interface Effect {
    /** What the API calls it. */
    String type();

    /**
     * Everything comes later.
     *
     * @param latencyMillis by how much, at least 0
     * @param jitterMillis by how much more or less, drawn anew for what each read brings; at least 0
     */
    record Latency(long latencyMillis, long jitterMillis) implements Effect {
        /** Throws {@link IllegalArgumentException} for an amount out of range. */
        public Latency {
            within(0, latencyMillis, LONGEST_MILLIS, "latency");
            within(0, jitterMillis, LONGEST_MILLIS, "jitter");
        }

        @Override
        public String type() {
            return "latency";
        }
    }

    /**
     * No more than so much passes.
     *
     * @param rateKilobytes in 1,000 bytes per second, at least 1
     */
    record Bandwidth(long rateKilobytes) implements Effect {
        /** Throws {@link IllegalArgumentException} for a rate out of range. */
        public Bandwidth {
            within(1, rateKilobytes, Integer.MAX_VALUE, "rate");
        }

        @Override
        public String type() {
            return "bandwidth";
        }
    }

    /**
     * The end of the stream comes later than its bytes.
     *
     * @param delayMillis by how much, at least 0
     */
    record SlowClose(long delayMillis) implements Effect {
        /** Throws {@link IllegalArgumentException} for a delay out of range. */
        public SlowClose {
            within(0, delayMillis, LONGEST_MILLIS, "delay");
        }

        @Override
        public String type() {
            return "slow_close";
        }
    }

    /**
     * Bytes are lost, and the connection is closed in the end. Once bytes were lost it is also closed when the toxic
     * goes: nobody may read a stream with a hole.
     *
     * @param timeoutMillis until it is closed, counted from when the toxic struck the connection; 0 is never
     */
    record Timeout(long timeoutMillis) implements Effect {
        /** Throws {@link IllegalArgumentException} for a timeout out of range. */
        public Timeout {
            within(0, timeoutMillis, LONGEST_MILLIS, "timeout");
        }

        @Override
        public String type() {
            return "timeout";
        }
    }

    /**
     * The connection is reset at both ends; bytes pass until then.
     *
     * @param timeoutMillis until it is reset, counted from when the toxic struck the connection; at least 0
     */
    record ResetPeer(long timeoutMillis) implements Effect {
        /** Throws {@link IllegalArgumentException} for a timeout out of range. */
        public ResetPeer {
            within(0, timeoutMillis, LONGEST_MILLIS, "timeout");
        }

        @Override
        public String type() {
            return "reset_peer";
        }
    }

    /**
     * Bytes come in small pieces.
     *
     * @param averageBytes of a piece, at least 1
     * @param variationBytes by how much a piece is longer or shorter, at least 0 and less than the average
     * @param delayMicros between two pieces, at least 0
     */
    record Slicer(long averageBytes, long variationBytes, long delayMicros) implements Effect {
        /** Throws {@link IllegalArgumentException} for an amount out of range. */
        public Slicer {
            within(1, averageBytes, Integer.MAX_VALUE, "average_size");
            within(0, variationBytes, averageBytes - 1, "size_variation");
            within(0, delayMicros, LONGEST_MILLIS * 1_000, "delay");
        }

        @Override
        public String type() {
            return "slicer";
        }
    }

    /**
     * The connection is closed once so much has passed.
     *
     * @param bytes that pass, at least 0
     */
    record LimitData(long bytes) implements Effect {
        /** Throws {@link IllegalArgumentException} for a negative limit. */
        public LimitData {
            within(0, bytes, Long.MAX_VALUE, "bytes");
        }

        @Override
        public String type() {
            return "limit_data";
        }
    }

    /**
     * A partition as TCP sees it: nothing passes, neither bytes nor an end nor a reset, and nothing is lost or closed.
     * When the toxic goes, what was held back flows. A new connection reaches the server when the toxic goes, unless
     * the caller has hung up by then.
     */
    record Blackhole() implements Effect {
        @Override
        public String type() {
            return "blackhole";
        }
    }

    /** The longest time, in milliseconds: a day. */
    long LONGEST_MILLIS = 86_400_000;

    private static void within(long least, long amount, long most, String name) {
        if (amount < least || amount > most) {
            throw new IllegalArgumentException(name + " is " + amount + "; it must be from " + least + " to " + most);
        }
    }
}
