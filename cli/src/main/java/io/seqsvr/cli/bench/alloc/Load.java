package io.seqsvr.cli.bench.alloc;

/** What calls: one connection, or one thread of an application. Begins nothing before it is started. */
interface Load extends AutoCloseable {
    /** Begins to call. */
    void start();

    /** Requests may have become due, for a load that has a rate. */
    void wake();

    /** What it met with. */
    Tally tally();

    /** Numbers so far that were not above what had been received before their call was sent. */
    long backward();

    /** Numbers so far that had been received before. */
    long duplicates();

    /** Begins no more calls; those under way go on. */
    void stop();

    /** Calls that have no answer yet. */
    long underWay();

    @Override
    void close();
}
