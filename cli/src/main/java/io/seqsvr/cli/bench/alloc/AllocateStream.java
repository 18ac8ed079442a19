package io.seqsvr.cli.bench.alloc;

import io.seqsvr.client.line.BadReplyException;
import io.seqsvr.client.line.MessageReader;
import io.seqsvr.proto.codec.MalformedMessageException;
import io.seqsvr.proto.codec.WireBytes;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One Allocate stream to one server, on a connection and a thread of its own; opened anew when it broke. */
final class AllocateStream implements AutoCloseable {
    private static final long CANCEL = 8;
    private static final long REOPEN_MILLIS = 100;
    private static final long REFUSED_MILLIS = 5;

    private final Connection connection;
    /** Counts the streams; what comes of an earlier one is ignored. */
    private int life;

    private @Nullable HttpClientRequest request;

    /** Who is told, on the stream's thread. */
    interface Listener extends MessageReader.Listener {
        /** It may be written, or more may be. */
        void writable();

        /** It broke: nothing more comes of what was sent. */
        void broken(String why);
    }

    AllocateStream(HostPort server) {
        connection = new Connection(server);
    }

    /** Opens it. */
    void start(Listener listener) {
        run(() -> open(listener));
    }

    /** Does something on its thread. */
    void run(Runnable work) {
        connection.run(work);
    }

    /** Does something on its thread, after the pause that a refusal is worth. */
    void later(Runnable work) {
        connection.after(REFUSED_MILLIS, work);
    }

    /** Whether it is open, and takes more without growing. */
    boolean isWritable() {
        return request != null && !request.writeQueueFull();
    }

    /** Takes out what was written, and sends it. */
    void write(WireBytes out) {
        if (request != null && out.size() > 0) {
            // What fails is told to the stream's own handler.
            request.write(out.toBuffer());
        }
        out.clear();
    }

    private void open(Listener listener) {
        int mine = ++life;
        connection.request(SequencesRpc.ALLOCATE.path()).onComplete(opened -> {
            if (opened.failed()) {
                broken(mine, opened.cause(), listener);
                return;
            }
            var stream = opened.result();
            request = stream;
            stream.setChunked(true);
            stream.exceptionHandler(lost -> broken(mine, lost, listener));
            stream.drainHandler(drained -> listener.writable());
            stream.response().onComplete(response -> {
                if (response.failed()) {
                    broken(mine, response.cause(), listener);
                } else {
                    hear(mine, response.result(), listener);
                }
            });
            listener.writable();
        });
    }

    private void hear(int mine, HttpClientResponse response, Listener listener) {
        var reader = new MessageReader(listener);
        response.handler(chunk -> {
            if (mine != life) {
                return;
            }
            try {
                reader.read(chunk);
                listener.writable();
            } catch (MalformedMessageException | BadReplyException unreadable) {
                broken(mine, unreadable, listener);
            }
        });
        response.exceptionHandler(lost -> broken(mine, lost, listener));
        response.endHandler(ended -> broken(mine, Connection.refusal(response), listener));
    }

    private void broken(int mine, Throwable why, Listener listener) {
        if (mine != life) {
            return;
        }
        life++;
        if (request != null) {
            request.reset(CANCEL);
            request = null;
        }
        listener.broken(Objects.requireNonNullElse(why.getMessage(), "the connection broke"));
        connection.after(REOPEN_MILLIS, () -> open(listener));
    }

    @Override
    public void close() {
        connection.close();
    }
}
