package io.seqsvr.node.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.proto.rpc.RpcException;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What a stream keeps of what has come over it: thousands of them are open, and idle most of the time. */
class DeframerTest {
    private static final int LONG = 100_000;

    private final Deframer deframer = new Deframer();

    private static Buffer message(int length, byte filling) {
        var body = new byte[length];
        Arrays.fill(body, filling);
        return Buffer.buffer().appendByte((byte) 0).appendInt(length).appendBytes(body);
    }

    private byte[] taken() throws RpcException {
        assertTrue(deframer.next());
        return Arrays.copyOfRange(deframer.bytes(), deframer.from(), deframer.to());
    }

    @Test
    void whoRestsKeepsNoRoomForMessagesThatAreOver() throws RpcException {
        deframer.append(message(LONG, (byte) 7));
        assertEquals(LONG, taken().length);
        assertTrue(deframer.bytes().length >= LONG);
        deframer.rest();
        assertEquals(0, deframer.bytes().length);
        deframer.append(message(3, (byte) 8));
        assertArrayEquals(new byte[] {8, 8, 8}, taken());
    }

    @Test
    void whatHasComeInPartIsKept() throws RpcException {
        var whole = message(LONG, (byte) 9);
        deframer.append(whole.getBuffer(0, 50_000));
        assertFalse(deframer.next());
        deframer.rest();
        deframer.append(whole.getBuffer(50_000, whole.length()));
        var expected = new byte[LONG];
        Arrays.fill(expected, (byte) 9);
        assertArrayEquals(expected, taken());
        assertTrue(deframer.isEmpty());
    }
}
