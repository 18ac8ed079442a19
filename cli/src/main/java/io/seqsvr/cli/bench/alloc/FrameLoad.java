package io.seqsvr.cli.bench.alloc;

import io.seqsvr.client.line.BadReplyException;
import io.seqsvr.client.line.MessageReader;
import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.frame.FrameVerb;
import io.seqsvr.proto.codec.FrameCodec;
import io.seqsvr.proto.codec.FrameReply;
import io.seqsvr.proto.codec.MalformedMessageException;
import io.seqsvr.proto.codec.WireBytes;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Frames on one Allocate stream, each of equally many calls; one call each makes a stream of single messages. Columns
 * go
 * from buffer to buffer: there is no object for a call. All is of the stream's own thread.
 */
final class FrameLoad implements Load {
    /** Frames that leave together are at most about so long. */
    private static final int FLUSH_BYTES = 1 << 16;

    private final String namespace;
    private final Users users;
    private final Schedule schedule;
    private final Tally tally = new Tally();
    private final AllocateStream stream;

    private final FrameCodec codec = new FrameCodec();
    private final FrameCalls calls = new FrameCalls();
    private final FrameReply reply = new FrameReply();
    private final WireBytes out = new WireBytes();

    private final Flight[] flights;
    private final boolean[] away;
    /** Numbers of flights that are here, as many as {@code free}. */
    private final int[] here;

    private int free;
    /** Flights that are here, as others see it. */
    private final AtomicInteger idle;

    private volatile boolean calling = true;

    /**
     * A load that does nothing yet.
     *
     * @param concurrency frames under way at most
     * @param batch calls of each
     */
    FrameLoad(String namespace, Users users, Schedule schedule, int concurrency, int batch, AllocateStream stream) {
        this.namespace = namespace;
        this.users = users;
        this.schedule = schedule;
        this.stream = stream;
        flights = new Flight[concurrency];
        here = new int[concurrency];
        away = new boolean[concurrency];
        for (int i = 0; i < concurrency; i++) {
            flights[i] = new Flight(i, batch);
            here[i] = i;
        }
        free = concurrency;
        idle = new AtomicInteger(concurrency);
    }

    @Override
    public void start() {
        stream.start(new AllocateStream.Listener() {
            @Override
            public void writable() {
                fill();
            }

            @Override
            public void message(byte[] in, int from, int to) throws MalformedMessageException, BadReplyException {
                answered(in, from, to);
            }

            @Override
            public void broken(String why) {
                lost(why);
            }
        });
    }

    /** Sends what is due, as far as it may. */
    private void fill() {
        while (calling && free > 0 && stream.isWritable()) {
            long now = System.nanoTime();
            if (!schedule.isDue(now)) {
                break;
            }
            // Before it is taken: who sees that nothing is left must see that it is under way.
            idle.setRelease(free - 1);
            write(schedule.take(now));
            if (out.size() > FLUSH_BYTES) {
                stream.write(out);
            }
        }
        stream.write(out);
    }

    private void write(long due) {
        int number = here[free - 1];
        free--;
        away[number] = true;
        var flight = flights[number];
        flight.leave(due);
        calls.clear();
        calls.correlation(flight.correlation()).namespaceName(namespace).verb(FrameVerb.NEXT);
        calls.uids().extend(flight.calls());
        flight.draw(users, calls.uids().array());
        int start = out.size();
        out.put(0);
        out.putInt(0);
        codec.writeRequest(calls, out);
        out.setInt(start + 1, out.size() - start - MessageReader.PREFIX);
    }

    private void answered(byte[] in, int from, int to) throws MalformedMessageException, BadReplyException {
        codec.readReply(in, from, to, reply);
        int number = Flight.number(reply.correlation());
        if (number >= flights.length || !away[number] || flights[number].correlation() != reply.correlation()) {
            throw new BadReplyException("a reply to frame " + reply.correlation() + ", which is not under way");
        }
        var flight = flights[number];
        int answered = reply.refusals().isEmpty() ? takeAll(flight) : takeSome(flight);
        tally.answered(answered, System.nanoTime() - flight.due());
        if (answered > 0 || !schedule.isClosed()) {
            back(number);
        } else {
            stream.later(() -> {
                back(number);
                fill();
            });
        }
    }

    private void back(int number) {
        if (away[number]) {
            away[number] = false;
            here[free] = number;
            free++;
            idle.setRelease(free);
        }
    }

    private int takeAll(Flight flight) throws BadReplyException {
        int size = flight.calls();
        if (reply.seqs().size() != size) {
            throw new BadReplyException("a reply has " + reply.seqs().size() + " sequences for " + size + " calls");
        }
        flight.received(reply.seqs().array(), users.checker());
        return size;
    }

    private int takeSome(Flight flight) throws BadReplyException {
        int size = flight.calls();
        var refused = new boolean[size];
        for (var refusal : reply.refusals()) {
            var at = refusal.places();
            if (at.isEmpty()) {
                Arrays.fill(refused, true);
            }
            for (int i = 0; i < at.size(); i++) {
                if (at.get(i) < 0 || at.get(i) >= size) {
                    throw new BadReplyException("a reply names place " + at.get(i) + " of " + size);
                }
                refused[at.get(i)] = true;
            }
            tally.failed(String.valueOf(refusal.reason()), at.isEmpty() ? size : at.size());
        }
        int answered = 0;
        for (int i = 0; i < size; i++) {
            if (!refused[i]) {
                if (reply.seqs().size() != size) {
                    throw new BadReplyException("a reply says nothing of place " + i);
                }
                flight.received(i, reply.seqs().get(i), users.checker());
                answered++;
            }
        }
        return answered;
    }

    /** No reply to any frame under way will come. */
    private void lost(String why) {
        out.clear();
        long calls = 0;
        for (int i = 0; i < flights.length; i++) {
            if (away[i]) {
                calls += flights[i].calls();
                back(i);
            }
        }
        // Also an attempt to connect that failed counts: nothing was called, and that must not look well.
        tally.failed(why, Math.max(1, calls));
    }

    @Override
    public void wake() {
        stream.run(this::fill);
    }

    @Override
    public Tally tally() {
        return tally;
    }

    @Override
    public long backward() {
        return users.checker().backward();
    }

    @Override
    public long duplicates() {
        return users.checker().duplicates();
    }

    @Override
    public void stop() {
        calling = false;
    }

    @Override
    public long underWay() {
        return (long) (flights.length - idle.getAcquire()) * flights[0].calls();
    }

    @Override
    public void close() {
        stream.close();
    }
}
