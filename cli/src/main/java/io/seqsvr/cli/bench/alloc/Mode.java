package io.seqsvr.cli.bench.alloc;

import io.seqsvr.core.namespace.Order;
import java.util.Locale;

/**
 * How sequences are asked for. What each has under way by default reaches the maximum and trips no limit: not in QUORUM
 * order either, where every call waits at its owner.
 */
public enum Mode {
    /** {@code Next} over gRPC. */
    UNARY(256, 1, 1),
    /** {@code Allocate}, one call in each message. */
    STREAM(256, 2, 1),
    /** {@code Allocate}, many calls in each message. */
    FRAMES(8, 2, 1_000),
    /** {@code SequenceClient.next}, from two threads of an application. */
    CLIENT(1_000, 2, 1_000);

    /** Calls at one owner where each of them waits. An AllocSvr lets 10,000 wait unless told otherwise. */
    private static final int MOST_WAITING = 8_000;
    /** So many times as much: where that is soon used up, a load that is behind stays so while answers take long. */
    private static final int AT_RATE = 8;

    private final int concurrency;
    private final int connections;
    private final int batch;

    Mode(int concurrency, int connections, int batch) {
        this.concurrency = concurrency;
        this.connections = connections;
        this.batch = batch;
    }

    /**
     * Requests under way on each connection, or calls of each thread, unless said otherwise.
     *
     * @param order of the namespace
     * @param perOwner connections to each owner, or threads
     * @param calls in a frame
     * @param atRate whether calls are due at a rate: then as many may be under way as fall due while a server rests
     */
    public int concurrency(Order order, int perOwner, int calls, boolean atRate) {
        long wanted = atRate ? (long) AT_RATE * concurrency : concurrency;
        if (this == CLIENT) {
            wanted = Math.min(wanted, AllocPlan.MOST_OF_CLIENT / perOwner);
        }
        if (order != Order.LEASE) {
            long callsOfOneEach = (long) perOwner * (this == FRAMES ? calls : 1);
            wanted = Math.min(wanted, MOST_WAITING / callsOfOneEach);
        }
        return (int) Math.max(1, wanted);
    }

    /** Connections to each owner unless said otherwise; threads of a CLIENT. */
    public int connections() {
        return connections;
    }

    /** Calls in a frame, at most of a CLIENT, unless said otherwise. */
    public int batch() {
        return batch;
    }

    /** As it stands on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
