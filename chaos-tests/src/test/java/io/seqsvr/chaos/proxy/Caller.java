package io.seqsvr.chaos.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.seqsvr.chaos.process.Endpoint;
import java.io.IOException;
import java.net.Socket;

/** A client of the JDK's sockets. */
final class Caller implements AutoCloseable {
    private static final int GIVE_UP_MILLIS = 20_000;

    private final Socket socket;

    Caller(Endpoint server) throws IOException {
        socket = new Socket(server.host(), server.port());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(GIVE_UP_MILLIS);
    }

    Socket socket() {
        return socket;
    }

    void say(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(UTF_8));
    }

    /** The next so many characters; fewer at the end of the stream. */
    String hear(int length) throws IOException {
        return new String(socket.getInputStream().readNBytes(length), UTF_8);
    }

    /** Says something and hears it again. */
    String echo(String text) throws IOException {
        say(text);
        return hear(text.length());
    }

    /** Whether the server has closed. */
    boolean hearsTheEnd() throws IOException {
        return socket.getInputStream().read() < 0;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
