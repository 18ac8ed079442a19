package io.seqsvr.node.server;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.rpc.RpcMethod;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.common.GrpcMessageDecoder;
import io.vertx.grpc.common.GrpcMessageEncoder;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.server.GrpcServerRequest;
import io.vertx.grpc.server.GrpcServerResponse;
import java.util.regex.Pattern;

/**
 * Serves one {@link BoundMethod} over gRPC where {@link UnaryEndpoint} does not. Messages pass the library as buffers,
 * so that what cannot be parsed becomes an INVALID_ARGUMENT and not a reset stream.
 */
final class GrpcEndpoint {
    private static final Pattern TIMEOUT = Pattern.compile("\\d{1,8}[HMSmun]");

    private GrpcEndpoint() {}

    static <Q extends Message, R extends Message> void bind(
            LibraryPort port, BoundMethod<Q, R> bound, UnreadReplies unread) {
        port.bind(buffers(bound.method()), request -> {
            var body = new FirstMessage(port.mostBytes());
            request.invalidMessageHandler(tooLarge -> body.refuse());
            request.handler(body::take);
            request.endHandler(ended -> answer(bound, request, body, unread));
        });
    }

    static ServiceMethod<Buffer, Buffer> buffers(RpcMethod<?, ?> method) {
        return ServiceMethod.server(
                method.serviceName(), method.methodName(), GrpcMessageEncoder.IDENTITY, GrpcMessageDecoder.IDENTITY);
    }

    private static <Q extends Message, R extends Message> void answer(
            BoundMethod<Q, R> bound,
            GrpcServerRequest<Buffer, Buffer> request,
            FirstMessage body,
            UnreadReplies unread) {
        var response = request.response();
        Q message;
        try {
            message = body.read(bound.method());
        } catch (RpcException malformed) {
            fail(response, bound.refuse(malformed));
            return;
        }
        var caller = new RequestCaller(request.connection(), bound.underWay());
        // The first tells of a stream taken back, the second of a connection lost.
        request.errorHandler(reset -> caller.leave());
        response.exceptionHandler(caller);
        bound.call(message, timeoutMillis(request), caller).onComplete(reply -> {
            if (caller.isGone()) {
                return;
            }
            if (reply.succeeded()) {
                end(bound, request, reply.result(), unread);
            } else {
                fail(response, (RpcException) reply.cause());
            }
        });
    }

    private static void end(
            BoundMethod<?, ?> bound, GrpcServerRequest<Buffer, Buffer> request, Message reply, UnreadReplies unread) {
        boolean said = unread.hasRoom(request.connection(), reply.getSerializedSize())
                && unread.end(request, Buffer.buffer(reply.toByteArray())).isPresent();
        if (!said) {
            fail(request.response(), bound.unsaid(unread.refusal(request.connection())));
        }
    }

    /** How long the caller waits, 0 if it does not say. The library tells less than a millisecond as 0 too. */
    static long timeoutMillis(GrpcServerRequest<Buffer, Buffer> request) {
        var named = request.headers().get("grpc-timeout");
        return named != null && TIMEOUT.matcher(named).matches() ? Math.max(1, request.timeout()) : 0;
    }

    static void fail(GrpcServerResponse<Buffer, Buffer> response, RpcException error) {
        error.writeTo(response.trailers());
        response.status(error.status()).statusMessage(error.message()).end();
    }

    /** The error of a request that cannot be read. */
    static RpcException malformed(RpcMethod<?, ?> method, InvalidProtocolBufferException broken) {
        return RpcException.of(
                GrpcStatus.INVALID_ARGUMENT,
                ErrorReason.MALFORMED_REQUEST,
                "the request is no " + method.descriptor().getInputType().getName() + ": " + broken.getMessage());
    }

    /** The message of a request that is one message; anything but exactly one is malformed. */
    static final class FirstMessage {
        private final int most;
        private Buffer first = Buffer.buffer();
        private int count;
        private boolean tooLarge;

        /** One of so many bytes at most. */
        FirstMessage(int most) {
            this.most = most;
        }

        void take(Buffer message) {
            count++;
            first = message;
        }

        void refuse() {
            tooLarge = true;
        }

        /** The message, as one of the method's requests. */
        <Q extends Message> Q read(RpcMethod<Q, ?> method) throws RpcException {
            try {
                var message = onlyOne();
                return method.parseRequest(message, 0, message.length);
            } catch (InvalidProtocolBufferException broken) {
                throw malformed(method, broken);
            }
        }

        private byte[] onlyOne() throws InvalidProtocolBufferException {
            if (tooLarge) {
                throw new InvalidProtocolBufferException("it is larger than " + most + " bytes");
            }
            if (count != 1) {
                throw new InvalidProtocolBufferException("the call carried " + count + " messages, not 1");
            }
            return first.getBytes();
        }
    }
}
