package io.seqsvr.chaos.proxy;

import io.seqsvr.chaos.process.Endpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** A server of the JDK's sockets, one thread for each connection. */
final class TcpServer implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 << 10;

    private final ServerSocket listening;
    private final Conversation conversation;
    private final Thread accepting;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final AtomicLong received = new AtomicLong();

    /** What a server does with a connection; the socket is closed after it. */
    interface Conversation {
        void hold(Socket socket) throws IOException;
    }

    TcpServer(Conversation conversation) {
        this.conversation = conversation;
        try {
            this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        this.accepting = start("tcp-server", this::acceptAll);
    }

    /** Answers with what it gets, until the end. */
    static TcpServer echo() {
        var counted = new AtomicLong[1];
        var server = new TcpServer(socket -> {
            var buffer = new byte[BUFFER_BYTES];
            for (int n = socket.getInputStream().read(buffer);
                    n >= 0;
                    n = socket.getInputStream().read(buffer)) {
                counted[0].addAndGet(n);
                socket.getOutputStream().write(buffer, 0, n);
            }
        });
        counted[0] = server.received;
        return server;
    }

    Endpoint endpoint() {
        return new Endpoint("127.0.0.1", listening.getLocalPort());
    }

    /** How many connections came. */
    int accepted() {
        return sockets.size();
    }

    /** How many bytes came, if it is an echo. */
    long received() {
        return received.get();
    }

    private void acceptAll() {
        while (true) {
            try {
                var socket = listening.accept();
                sockets.add(socket);
                start("tcp-conversation", () -> hold(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void hold(Socket socket) {
        try (socket) {
            conversation.hold(socket);
        } catch (IOException broken) {
            // What the tests are about: they see it at the other end.
        }
    }

    private static Thread start(String name, Runnable work) {
        var thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** After it nobody is served; one thread closes. */
    @Override
    public void close() throws IOException {
        listening.close();
        try {
            // Until the thread has left its accept, the kernel still completes one more connection.
            accepting.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while closing", interrupted);
        }
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
