package io.seqsvr.chaos.process;

import java.nio.file.Path;
import java.util.OptionalInt;

/** Where nodes run: which addresses they have, and what surrounds their processes. Safe for use by many threads. */
public interface Site extends AutoCloseable {
    /** An endpoint of that node that nobody listens on and that was not given away here before. */
    Endpoint freeEndpoint(String node);

    /**
     * The endpoint of a port that people know by heart, or a free one where somebody listens there already.
     *
     * @param wanted the port, from 1 to 65,535
     */
    Endpoint endpointAt(String node, int wanted);

    /**
     * Where a node keeps its data.
     *
     * @param own the directory of that node
     */
    default Path data(String node, Path own) {
        return own.resolve("data");
    }

    /**
     * An endpoint for what the nodes of one tier say to each other, as {@link #freeEndpoint}.
     */
    default Endpoint innerEndpoint(String node) {
        return freeEndpoint(node);
    }

    /**
     * Where a node is to listen, so that others find it there.
     *
     * @param endpoint what was given away here
     */
    default Endpoint listen(Endpoint endpoint) {
        return endpoint;
    }

    /** How many entries of its log a StoreSvr peer writes between two snapshots, where it is not to be as always. */
    default OptionalInt snapshotEntries() {
        return OptionalInt.empty();
    }

    /** A node has started as this process. */
    default void started(String node, long pid) {}

    /** The same command with what it needs to run here; its process has the same id as without. */
    ProcessBuilder on(String node, ProcessBuilder command);

    /** Undoes what was made here; no node runs any more. */
    @Override
    void close();
}
