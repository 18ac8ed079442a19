package io.seqsvr.proto.rpc;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.Durations;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.core.MultiMap;
import io.vertx.grpc.common.GrpcStatus;
import java.util.Base64;
import java.util.Map;

/**
 * The typed error of a call: gRPC status, reason of our closed list, a sentence for people, and how long to wait where
 * waiting helps. Goes out as status, {@code grpc-status-details-bin} and {@code grpc-retry-pushback-ms}, and is read
 * back from them.
 */
public final class RpcException extends Exception {
    /** Domain of the {@link ErrorInfo} of every error of ours. */
    public static final String DOMAIN = "seqsvr";

    private static final String DETAILS = "grpc-status-details-bin";
    private static final String PUSHBACK = "grpc-retry-pushback-ms";
    /**
     * Messages name values that callers sent; status and details together must pass as headers, 8 KiB at most peers.
     */
    private static final int MAX_MESSAGE_CHARS = 400;

    private static final long serialVersionUID = 1L;

    private final GrpcStatus status;
    private final ErrorReason reason;
    private final transient Map<String, String> metadata;
    private final long retryAfterMillis;
    private final boolean unsent;

    private RpcException(
            GrpcStatus status,
            ErrorReason reason,
            String message,
            Map<String, String> metadata,
            long retryAfterMillis,
            boolean unsent) {
        super(cut(message), null, false, false);
        this.status = status;
        this.reason = reason;
        this.metadata = Map.copyOf(metadata);
        this.retryAfterMillis = retryAfterMillis;
        this.unsent = unsent;
    }

    private static String cut(String message) {
        return message.length() <= MAX_MESSAGE_CHARS ? message : message.substring(0, MAX_MESSAGE_CHARS - 3) + "...";
    }

    /** An error that waiting does not cure. */
    public static RpcException of(GrpcStatus status, ErrorReason reason, String message) {
        return new RpcException(status, reason, message, Map.of(), -1, false);
    }

    /** An error about one field of the request. */
    public static RpcException ofField(GrpcStatus status, ErrorReason reason, String field, String message) {
        return new RpcException(status, reason, message, Map.of("field", field), -1, false);
    }

    /** An error that a retry after {@code retryAfterMillis} (at least 0) may cure. */
    public static RpcException retryable(GrpcStatus status, ErrorReason reason, String message, long retryAfterMillis) {
        return new RpcException(status, reason, message, Map.of(), retryAfterMillis, false);
    }

    /** No connection to a server could be had, so that nothing was sent; another server may do at once. */
    static RpcException unsent(String message) {
        return new RpcException(GrpcStatus.UNAVAILABLE, ErrorReason.OWNER_UNREACHABLE, message, Map.of(), 0, true);
    }

    /** Reads the error of a reply from its status and trailers; without details of ours the reason is unspecified. */
    public static RpcException fromTrailers(GrpcStatus status, String message, MultiMap trailers) {
        var reason = ErrorReason.ERROR_REASON_UNSPECIFIED;
        var metadata = Map.<String, String>of();
        long retryAfterMillis = -1;
        var text = message;
        var details = trailers.get(DETAILS);
        if (details != null) {
            try {
                var packed = Status.parseFrom(Base64.getDecoder().decode(details));
                text = packed.getMessage();
                for (Any detail : packed.getDetailsList()) {
                    if (detail.is(ErrorInfo.class)) {
                        var info = detail.unpack(ErrorInfo.class);
                        reason = reasonOf(info);
                        metadata = info.getMetadataMap();
                    } else if (detail.is(RetryInfo.class)) {
                        retryAfterMillis = Durations.toMillis(
                                detail.unpack(RetryInfo.class).getRetryDelay());
                    }
                }
            } catch (InvalidProtocolBufferException | IllegalArgumentException unreadable) {
                text = message + " (with unreadable details: " + unreadable.getMessage() + ")";
            }
        }
        return new RpcException(status, reason, text, metadata, retryAfterMillis, false);
    }

    private static ErrorReason reasonOf(ErrorInfo info) {
        if (!info.getDomain().equals(DOMAIN)) {
            return ErrorReason.ERROR_REASON_UNSPECIFIED;
        }
        var value = ErrorReason.getDescriptor().findValueByName(info.getReason());
        return value == null ? ErrorReason.ERROR_REASON_UNSPECIFIED : ErrorReason.valueOf(value);
    }

    /** Puts the details into the trailers of a gRPC response; status and message are the caller's to set. */
    public void writeTo(MultiMap trailers) {
        trailers.set(
                DETAILS,
                Base64.getEncoder().withoutPadding().encodeToString(toStatus().toByteArray()));
        if (retryAfterMillis >= 0) {
            trailers.set(PUSHBACK, Long.toString(retryAfterMillis));
        }
    }

    /** The error as the message that gRPC details and JSON bodies share. */
    public Status toStatus() {
        var packed = Status.newBuilder().setCode(status.code).setMessage(message());
        packed.addDetails(Any.pack(ErrorInfo.newBuilder()
                .setDomain(DOMAIN)
                .setReason(reason.name())
                .putAllMetadata(metadata)
                .build()));
        if (retryAfterMillis >= 0) {
            packed.addDetails(Any.pack(RetryInfo.newBuilder()
                    .setRetryDelay(Durations.fromMillis(retryAfterMillis))
                    .build()));
        }
        return packed.build();
    }

    /** gRPC status code. */
    public GrpcStatus status() {
        return status;
    }

    /** Reason of our closed list. */
    public ErrorReason reason() {
        return reason;
    }

    /** The sentence for people. */
    public String message() {
        var text = getMessage();
        return text == null ? "" : text;
    }

    /** More about it, by name: {@code field} for an error about a field. */
    public Map<String, String> metadata() {
        return metadata;
    }

    /** After how many milliseconds to retry; negative where no retry helps. */
    public long retryAfterMillis() {
        return retryAfterMillis;
    }

    /** Whether nothing was sent: then nothing happened, and the same may be asked elsewhere. Not told to others. */
    public boolean isUnsent() {
        return unsent;
    }
}
