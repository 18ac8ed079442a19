package io.seqsvr.cli.bench.alloc;

import io.seqsvr.client.line.BadReplyException;
import io.seqsvr.client.line.MessageReader;
import io.seqsvr.proto.codec.MalformedMessageException;
import io.seqsvr.proto.codec.NextCodec;
import io.seqsvr.proto.codec.WireBytes;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import java.util.Objects;

/** Calls of Next over gRPC, on one connection, each a stream of its own. All is of the connection's own thread. */
final class UnaryLoad implements Load {
    private static final String PATH =
            "/" + SequencesRpc.NEXT.serviceName().fullyQualifiedName() + "/" + SequencesRpc.NEXT.methodName();
    private static final long REFUSED_MILLIS = 5;

    private final Connection connection;
    private final Users users;
    private final Draws draws;
    private final Schedule schedule;
    private final int concurrency;
    private final Tally tally = new Tally();
    private final NextCodec codec;
    private final WireBytes out = new WireBytes();
    private int open;
    private volatile int underWay;
    private volatile boolean calling = true;

    /**
     * A load that does nothing yet.
     *
     * @param concurrency calls under way at most
     */
    UnaryLoad(HostPort server, String namespace, Users users, Schedule schedule, int concurrency) {
        this.connection = new Connection(server);
        this.users = users;
        this.draws = new Draws(users);
        this.schedule = schedule;
        this.concurrency = concurrency;
        this.codec = new NextCodec(namespace);
    }

    @Override
    public void start() {
        connection.run(this::fill);
    }

    private void fill() {
        while (calling && open < concurrency) {
            long now = System.nanoTime();
            if (!schedule.isDue(now)) {
                break;
            }
            open++;
            // Before it is taken: who sees that nothing is left must see that it is under way.
            underWay = open;
            send(schedule.take(now));
        }
    }

    private void send(long due) {
        int place = draws.next();
        long seen = users.checker().seen(place);
        out.clear();
        out.put(0);
        out.putInt(0);
        codec.writeRequest(users.uid(place), out);
        out.setInt(1, out.size() - MessageReader.PREFIX);
        var message = out.toBuffer();
        connection
                .request(PATH)
                .compose(request -> request.send(message))
                .compose(response -> response.body().compose(body -> read(response, body, place)))
                .onComplete(answer -> ended(answer, place, seen, due));
    }

    /** The number that a response bears. */
    private Future<Long> read(HttpClientResponse response, Buffer body, int place) {
        if (!Connection.isOk(response)) {
            return Future.failedFuture(Connection.refusal(response));
        }
        var bytes = body.getBytes();
        int length = bytes.length - MessageReader.PREFIX;
        if (length < 0 || bytes[0] != 0 || body.getInt(1) != length) {
            return Future.failedFuture(new BadReplyException("a response is not one message"));
        }
        try {
            codec.readReply(bytes, MessageReader.PREFIX, bytes.length);
        } catch (MalformedMessageException unreadable) {
            return Future.failedFuture(unreadable);
        }
        if (codec.uid() != users.uid(place) || codec.first() != codec.last()) {
            return Future.failedFuture(new BadReplyException("a reply is not about what was asked"));
        }
        return Future.succeededFuture(codec.first());
    }

    private void ended(AsyncResult<Long> answer, int place, long seen, long due) {
        if (answer.succeeded()) {
            users.checker().received(place, answer.result(), seen);
            tally.answered(1, System.nanoTime() - due);
            goOn();
        } else {
            tally.failed(Objects.requireNonNullElse(answer.cause().getMessage(), "the connection broke"), 1);
            connection.after(REFUSED_MILLIS, this::goOn);
        }
    }

    private void goOn() {
        open--;
        underWay = open;
        fill();
    }

    @Override
    public void wake() {
        connection.run(this::fill);
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
        return underWay;
    }

    @Override
    public void close() {
        connection.close();
    }
}
