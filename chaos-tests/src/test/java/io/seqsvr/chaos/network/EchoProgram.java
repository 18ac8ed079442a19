package io.seqsvr.chaos.network;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A process that says back whatever it is told. */
final class EchoProgram {
    private EchoProgram() {}

    public static void main(String[] arguments) throws IOException {
        var address = InetAddress.getByName(arguments[0]);
        try (var server = new ServerSocket(Integer.parseInt(arguments[1]), 50, address)) {
            System.out.write('!');
            System.out.flush();
            while (true) {
                var socket = server.accept();
                var thread = new Thread(() -> echo(socket));
                thread.setDaemon(true);
                thread.start();
            }
        }
    }

    private static void echo(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            var unused = socket.getInputStream().transferTo(socket.getOutputStream());
        } catch (IOException gone) {
            // Whoever asked has gone.
            return;
        }
    }
}
