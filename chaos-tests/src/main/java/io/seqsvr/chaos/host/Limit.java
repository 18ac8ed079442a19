package io.seqsvr.chaos.host;

/** One process gets less of something than it may need, until this is closed. */
public interface Limit extends AutoCloseable {
    /** Whether the process has run into it. */
    boolean isFelt();

    /** Whether the process has run into it so often, since it did first, that it was short of something. */
    default boolean wasFelt() {
        return true;
    }

    /** There is no limit any more; the process may have ended meanwhile. Does nothing the second time. */
    @Override
    void close();
}
