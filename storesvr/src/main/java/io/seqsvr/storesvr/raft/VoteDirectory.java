package io.seqsvr.storesvr.raft;

import io.seqsvr.storesvr.disk.DiskFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;

/**
 * The directory of term, vote and configuration. Ratis writes each of them to a file beside the old one, syncs it and
 * renames it, and leaves it to the system to keep the name: on ext4 for 5 s, and syncs of the log do not change that.
 *
 * <p>Invariant: nobody hears of a vote for another, and nothing of a term is in the log, before the name is on the
 * disk. Else a peer whose power goes votes a second time in the same term, or comes back with a vote that is older than
 * its log. (A vote for itself counts with the voter only, and leads to nothing before there is something in its log.)
 */
final class VoteDirectory {
    private static final String VOTE =
            RaftServerProtocolServiceGrpc.getRequestVoteMethod().getFullMethodName();

    private final Path directory;
    private final Consumer<Throwable> fatal;
    private boolean failed;

    /**
     * A directory.
     *
     * @param fatal stops the process
     */
    VoteDirectory(Path directory, Consumer<Throwable> fatal) {
        this.directory = directory;
        this.fatal = fatal;
    }

    /** Has Ratis answer who asks for a vote only after {@link #keep}. */
    Parameters answersAfterKeeping() {
        var parameters = new Parameters();
        GrpcConfigKeys.Server.setServicesCustomizer(
                parameters, (server, services) -> server.intercept(new KeptBeforeVoting()));
        return parameters;
    }

    /**
     * Makes the names durable.
     *
     * @throws UncheckedIOException if they are not, and will not be; the process is being stopped
     */
    synchronized void keep() {
        try (var names = FileChannel.open(directory, StandardOpenOption.READ)) {
            if (failed) {
                // After one that failed, a sync may succeed without having written what that one lost.
                throw new IOException("an earlier sync of " + directory + " failed");
            }
            names.force(true);
        } catch (IOException unwritable) {
            failed = true;
            fatal.accept(new DiskFailure("the vote in " + directory + " cannot be made durable", unwritable));
            throw new UncheckedIOException(unwritable);
        }
    }

    private final class KeptBeforeVoting implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            if (!call.getMethodDescriptor().getFullMethodName().equals(VOTE)) {
                return next.startCall(call, headers);
            }
            var kept = new KeptBeforeAnswering<>(call);
            return new SimpleForwardingServerCallListener<Q>(next.startCall(kept, headers)) {
                @Override
                public void onMessage(Q request) {
                    kept.asked(request);
                    super.onMessage(request);
                }
            };
        }
    }

    private final class KeptBeforeAnswering<Q, A> extends SimpleForwardingServerCall<Q, A> {
        private boolean binds = true;
        private boolean refused;

        KeptBeforeAnswering(ServerCall<Q, A> call) {
            super(call);
        }

        /** What a peer says before there is a vote binds it to nothing, and nothing of it is written. */
        void asked(Q request) {
            binds = !(request instanceof RequestVoteRequestProto vote && vote.getPreVote());
        }

        @Override
        public void sendMessage(A vote) {
            try {
                if (binds) {
                    keep();
                }
                super.sendMessage(vote);
            } catch (UncheckedIOException forgotten) {
                refused = true;
                super.close(Status.UNAVAILABLE.withDescription("the vote cannot be made durable"), new Metadata());
            }
        }

        @Override
        public void close(Status status, Metadata trailers) {
            if (!refused) {
                super.close(status, trailers);
            }
        }
    }
}
