package io.seqsvr.cli.bench.alloc;

import java.util.concurrent.locks.LockSupport;

/** The time of a measurement, and how it passes. */
interface BenchTime {
    /** That of the machine. */
    BenchTime REAL = new BenchTime() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void pass(long nanos) {
            LockSupport.parkNanos(nanos);
        }
    };

    /** Now, from some moment on. */
    long nanos();

    /** Waits for about so long. */
    void pass(long nanos);
}
