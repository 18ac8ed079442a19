package io.seqsvr.chaos.proxy;

import io.seqsvr.chaos.proxy.Parcel.Last;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** One caller's connection through a proxy: two sockets and a flow each way. */
final class Connection {
    private final Tally tally;
    private final Supplier<Future<NetSocket>> connect;
    private final Consumer<Connection> gone;
    private final SplittableRandom random;
    private final Map<String, Double> drawnByToxic = new HashMap<>();
    private final Flow upstream;
    private final Flow downstream;
    private final SocketEnd callerEnd;

    private String caller = CallerNames.UNKNOWN;
    private Optional<SocketEnd> serverEnd = Optional.empty();
    private boolean connecting;
    private boolean waited;
    private boolean over;

    /**
     * A connection that was just accepted; nothing is read before it starts.
     *
     * @param connect reaches the server
     * @param gone is told when both sockets are closed
     */
    Connection(
            NetSocket accepted,
            Timers timers,
            SplittableRandom random,
            Tally tally,
            Supplier<Future<NetSocket>> connect,
            Consumer<Connection> gone) {
        this.tally = tally;
        this.random = random;
        this.connect = connect;
        this.gone = gone;
        this.upstream = new Flow(timers, random, bytes -> tally.forwarded(Direction.UPSTREAM, bytes));
        this.downstream = new Flow(timers, random, bytes -> tally.forwarded(Direction.DOWNSTREAM, bytes));
        this.callerEnd = end(accepted, Direction.UPSTREAM);
    }

    /** Starts to read from a caller who is known now. */
    void start(String name, List<Toxic> toxics) {
        caller = name;
        if (over || callerEnd.isClosed()) {
            fail();
            return;
        }
        downstream.to(new End(Direction.DOWNSTREAM));
        obey(toxics);
        upstream.from(callerEnd);
    }

    /** From now on these are the toxics of the proxy. */
    void obey(List<Toxic> toxics) {
        drawnByToxic.keySet().retainAll(toxics.stream().map(Toxic::name).toList());
        for (Direction direction : Direction.values()) {
            flow(direction)
                    .obey(toxics.stream()
                            .filter(toxic -> toxic.stream() == direction && strikes(toxic))
                            .toList());
        }
        if (!over && !connecting) {
            connectUnlessStuck();
        }
    }

    String caller() {
        return caller;
    }

    /** How many bytes of a direction wait in here. */
    long heldBytes(Direction direction) {
        return flow(direction).heldBytes();
    }

    /** Closes both sockets, whatever was under way. */
    void close() {
        stop();
        callerEnd.closeNow();
        serverEnd.ifPresent(SocketEnd::closeNow);
    }

    private boolean strikes(Toxic toxic) {
        return toxic.strikes(caller, drawnByToxic.computeIfAbsent(toxic.name(), unused -> random.nextDouble()));
    }

    private void connectUnlessStuck() {
        if (upstream.isStuck() || downstream.isStuck()) {
            // Neither its SYN nor the answer would come through.
            waited = true;
        } else if (waited && (upstream.hasEnded() || callerEnd.isClosed())) {
            // What a caller gave up while it could not connect never was a connection.
            fail();
        } else {
            connecting = true;
            connect.get().onComplete(this::connected, refused -> connectFailed());
        }
    }

    private void connected(NetSocket server) {
        var end = end(server, Direction.DOWNSTREAM);
        serverEnd = Optional.of(end);
        if (over) {
            end.closeNow();
            return;
        }
        upstream.to(new End(Direction.UPSTREAM));
        downstream.from(end);
    }

    private void connectFailed() {
        tally.connectFailed();
        connecting = false;
        fail();
    }

    private void fail() {
        close();
        leaveIfClosed();
    }

    private Flow flow(Direction direction) {
        return direction == Direction.UPSTREAM ? upstream : downstream;
    }

    private SocketEnd end(NetSocket socket, Direction sends) {
        return new SocketEnd(socket, new SocketEnd.Listener() {
            @Override
            public void came(Parcel parcel) {
                flow(sends).take(parcel);
            }

            @Override
            public void drained() {
                flow(opposite(sends)).regulate();
            }

            @Override
            public void closed() {
                endClosed(sends);
            }
        });
    }

    private static Direction opposite(Direction direction) {
        return direction == Direction.UPSTREAM ? Direction.DOWNSTREAM : Direction.UPSTREAM;
    }

    /** The socket is gone that sends in this direction. */
    private void endClosed(Direction sends) {
        if (!over) {
            flow(opposite(sends)).stop();
            if (flow(sends).isOver()) {
                // Its last word was delivered, and nobody hears the other side any more: as TCP would answer that.
                reset();
            } else if (!flow(sends).hasEnded()) {
                // It broke. The other side learns of it as soon as the toxics let it.
                flow(sends).take(Last.RESET);
            }
        }
        leaveIfClosed();
    }

    private void leaveIfClosed() {
        if (callerEnd.isClosed() && serverEnd.map(SocketEnd::isClosed).orElse(over && !connecting)) {
            stop();
            gone.accept(this);
        }
    }

    private void stop() {
        over = true;
        upstream.stop();
        downstream.stop();
    }

    private void reset() {
        stop();
        tally.reset();
        callerEnd.reset();
        serverEnd.ifPresent(SocketEnd::reset);
    }

    /** The receiving end of a direction. */
    private final class End implements Sink {
        private final Direction direction;

        End(Direction direction) {
            this.direction = direction;
        }

        private Optional<SocketEnd> receiver() {
            return direction == Direction.DOWNSTREAM ? Optional.of(callerEnd) : serverEnd;
        }

        private Optional<SocketEnd> sender() {
            return direction == Direction.DOWNSTREAM ? serverEnd : Optional.of(callerEnd);
        }

        @Override
        public boolean isFull() {
            return receiver().map(SocketEnd::isFull).orElse(false);
        }

        @Override
        public void write(Buffer bytes) {
            receiver().ifPresent(end -> end.write(bytes));
        }

        @Override
        public void finish(Last word) {
            if (word == Last.RESET) {
                reset();
            } else if (word == Last.CLOSE || sender().map(SocketEnd::isClosed).orElse(false)) {
                stop();
                receiver().ifPresent(SocketEnd::closeWhenWritten);
                sender().ifPresent(SocketEnd::closeNow);
            } else if (flow(opposite(direction)).isOver()) {
                stop();
                receiver().ifPresent(SocketEnd::closeWhenWritten);
                sender().ifPresent(SocketEnd::closeWhenWritten);
            } else {
                receiver().ifPresent(SocketEnd::endOutput);
            }
        }
    }
}
