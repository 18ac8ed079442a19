package io.seqsvr.chaos.proxy;

import java.util.Optional;

/** How one effect treats what comes along one direction of one connection. */
interface Treatment {
    /** A time that never comes. */
    long NEVER_NANOS = Long.MAX_VALUE;

    /** Puts a parcel into the line, whole or in pieces, or has it lost. */
    void take(Parcel parcel, Line line);

    /** Whether it stops everything, so that little should be read from the sender. */
    default boolean holdsAll() {
        return false;
    }

    /** When and how it ends the connection by itself. */
    default Optional<Deadline> deadline() {
        return Optional.empty();
    }

    /**
     * An end that comes by itself.
     *
     * @param afterNanos counted from when the toxic struck the connection
     * @param word how it ends
     */
    record Deadline(long afterNanos, Parcel.Last word) {}

    /** Where parcels wait for their time, in order. */
    interface Line {
        /** What time it is, in nanoseconds. */
        long nowNanos();

        /** When the last one in line is due, in nanoseconds; the present if that is later or nobody waits. */
        long lastDueNanos();

        /** How many bytes have gone on since the toxic struck the connection. */
        long passedBytes();

        /** Waits until a time, and for those before it; {@link #NEVER_NANOS} waits until the toxic goes. */
        void add(Parcel parcel, long dueNanos);

        /** Is never passed on. */
        void lose(Parcel parcel);
    }
}
