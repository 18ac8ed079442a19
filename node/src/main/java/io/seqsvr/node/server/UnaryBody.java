package io.seqsvr.node.server;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.rpc.RpcMethod;
import io.seqsvr.proto.rpc.UnaryCaller;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/** The body of a request that is one message, as its bytes come in. It keeps no more than the longest one has. */
final class UnaryBody {
    private static final int MOST = Deframer.PREFIX + UnaryCaller.MAX_MESSAGE_BYTES;
    private static final byte[] NONE = {};

    private final UnfinishedBytes.Share unfinished;
    private final BodyRoom room;
    private final boolean mayBeZipped;
    private byte[] bytes = NONE;
    private int length;
    private boolean tooLarge;
    private boolean withoutRoom;

    /**
     * Nothing yet.
     *
     * @param unfinished room for what has come
     * @param mayBeZipped whether the message, where it says that it is compressed, is so by gzip
     */
    UnaryBody(UnfinishedBytes.Share unfinished, boolean mayBeZipped) {
        this.unfinished = unfinished;
        this.room = new BodyRoom(unfinished, this::lose);
        this.mayBeZipped = mayBeZipped;
    }

    void append(Buffer chunk) {
        tooLarge |= chunk.length() > MOST - length;
        withoutRoom = withoutRoom || tooLarge || !room.keep(chunk.length());
        if (withoutRoom) {
            forget();
        } else if (length == 0) {
            bytes = chunk.getBytes();
            length = bytes.length;
        } else {
            int needed = length + chunk.length();
            if (needed > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(needed, 2 * length));
            }
            chunk.getBytes(0, chunk.length(), bytes, length);
            length = needed;
        }
    }

    private void lose() {
        withoutRoom = true;
        forget();
    }

    /** It is kept no longer; repeating it is harmless. */
    void forget() {
        room.leave();
        bytes = NONE;
        length = 0;
    }

    /** The message; anything but exactly one is malformed. */
    <Q extends Message> Q read(RpcMethod<Q, ?> method) throws RpcException {
        if (withoutRoom && !tooLarge) {
            throw unfinished.refusal();
        }
        try {
            int size = onlyOne();
            if (bytes[0] == 0) {
                return method.parseRequest(bytes, Deframer.PREFIX, size);
            }
            var message = unzipped(size);
            return method.parseRequest(message, 0, message.length);
        } catch (InvalidProtocolBufferException broken) {
            throw GrpcEndpoint.malformed(method, broken);
        }
    }

    private int onlyOne() throws InvalidProtocolBufferException {
        int messages = 0;
        int at = 0;
        while (length - at >= Deframer.PREFIX) {
            int size = ByteBuffer.wrap(bytes, at + 1, Integer.BYTES).getInt();
            if (size < 0 || size > UnaryCaller.MAX_MESSAGE_BYTES) {
                tooLarge = true;
                break;
            }
            if (size > length - at - Deframer.PREFIX) {
                break;
            }
            at += Deframer.PREFIX + size;
            messages++;
        }
        if (tooLarge) {
            throw largerThanAllowed();
        }
        if (messages != 1) {
            throw new InvalidProtocolBufferException("the call carried " + messages + " messages, not 1");
        }
        if (at < length) {
            throw new InvalidProtocolBufferException("the call ends within a second message");
        }
        if (bytes[0] != 0 && !mayBeZipped) {
            throw new InvalidProtocolBufferException("it is compressed, and no grpc-encoding says how");
        }
        return length - Deframer.PREFIX;
    }

    /** A megabyte may hold a gigabyte: it is read only as far as a message may go. */
    private byte[] unzipped(int size) throws InvalidProtocolBufferException {
        try (var zipped = new GZIPInputStream(new ByteArrayInputStream(bytes, Deframer.PREFIX, size))) {
            var message = zipped.readNBytes(UnaryCaller.MAX_MESSAGE_BYTES + 1);
            if (message.length > UnaryCaller.MAX_MESSAGE_BYTES) {
                throw largerThanAllowed();
            }
            return message;
        } catch (InvalidProtocolBufferException tooLong) {
            throw tooLong;
        } catch (IOException damaged) {
            throw new InvalidProtocolBufferException("it is compressed, but not by gzip: " + damaged.getMessage());
        }
    }

    private static InvalidProtocolBufferException largerThanAllowed() {
        return new InvalidProtocolBufferException("it is larger than " + UnaryCaller.MAX_MESSAGE_BYTES + " bytes");
    }
}
