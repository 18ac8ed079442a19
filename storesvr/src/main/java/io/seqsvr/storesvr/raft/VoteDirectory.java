package io.seqsvr.storesvr.raft;

import io.seqsvr.storesvr.disk.DiskFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of the vote, with its term, and of the members of the group. Ratis writes each of them to a file beside
 * the old one, syncs it and renames it, and leaves it to the system to keep the name: on ext4 for 5 s, and syncs of the
 * log do not change that.
 *
 * <p>Invariant: nobody hears of a vote for another, nothing of a term is in the log, and nothing after a change of the
 * members is applied, before what was written is whole, has a second name, and is on the disk. Else a peer whose power
 * goes votes a second time in the same term, or comes back with a vote that is older than its log; and one whose disk
 * is full comes back with none. (A vote for itself counts with the voter only, and leads to nothing before there is
 * something in its log.)
 */
final class VoteDirectory {
    private static final Logger LOG = LoggerFactory.getLogger(VoteDirectory.class);
    /** How long a write may be under way when it is relied on: a candidate's is, while another one is elected. */
    private static final long SOON_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    /** Longer than any write takes by itself; nobody relies on this one. */
    private static final long NEVER_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final long WRITTEN = Long.MIN_VALUE;
    private static final String THE_VOTE = "the vote";

    private static final String VOTE =
            RaftServerProtocolServiceGrpc.getRequestVoteMethod().getFullMethodName();

    private final Path directory;
    private final KeptFile vote;
    private final KeptFile members;
    private final Consumer<Throwable> fatal;
    private final long soonNanos;
    private boolean failed;
    /** Since when looks have seen that a term is not written; {@link #WRITTEN} while it is. */
    private long unwrittenSinceNanos = WRITTEN;

    /**
     * A directory.
     *
     * @param directory where Ratis keeps the files of a group
     * @param fatal stops the process
     */
    VoteDirectory(Path directory, Consumer<Throwable> fatal) {
        this(directory, fatal, SOON_NANOS);
    }

    /** With a patience that a test has. */
    VoteDirectory(Path directory, Consumer<Throwable> fatal, long soonNanos) {
        this.soonNanos = soonNanos;
        this.directory = directory;
        this.vote = new KeptFile(voteFile(directory), RaftFiles::isVote);
        this.members = new KeptFile(membersFile(directory), RaftFiles::isConfiguration);
        this.fatal = fatal;
    }

    /** The file of vote and term: without it a member could vote twice. */
    static Path voteFile(Path directory) {
        return directory.resolve("raft-meta");
    }

    /** The file of who is in the group; it is there once a configuration was applied. */
    static Path membersFile(Path directory) {
        return directory.resolve("raft-meta.conf");
    }

    /** Makes of what a start finds what was there before a write that was not finished. */
    void putBack() throws IOException {
        for (var file : List.of(vote, members)) {
            if (file.putBack()) {
                LOG.warn("event=put_back file={} reason=\"a later one was not written to its end\"", file);
            }
        }
    }

    /** Keeps what is there, before Ratis starts and writes anything. */
    void begin() throws IOException {
        if (vote.keep().isEmpty()) {
            throw new IOException(vote + " holds no term and vote");
        }
        if (Files.exists(membersFile(directory))) {
            // One that is not whole is nobody's: a peer that needs it does not come so far.
            var unused = members.keep();
        }
        try (var names = FileChannel.open(directory, StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    /**
     * Ends the process if a vote cannot be written: Ratis tells only whoever asked for it. At once if the disk refuses
     * everything else too, else after a while, as a write may be under way.
     *
     * @param term the member's, in memory
     */
    synchronized void look(long term, long nowNanos) {
        boolean whole;
        try {
            var version = vote.read();
            whole = RaftFiles.isVote(version);
            if (failed || (whole && RaftFiles.term(version) >= term)) {
                unwrittenSinceNanos = WRITTEN;
                return;
            }
        } catch (IOException busy) {
            // No file may be free to look with; that harms nobody, and there is another look.
            LOG.warn("event=vote_not_looked_at directory={} error=\"{}\"", directory, busy.toString());
            return;
        }
        if (unwrittenSinceNanos == WRITTEN) {
            unwrittenSinceNanos = nowNanos;
        }
        try {
            if (!whole) {
                vote.probe();
            }
            if (nowNanos - unwrittenSinceNanos > NEVER_NANOS) {
                throw unwritten(term);
            }
        } catch (IOException reason) {
            stop(THE_VOTE, reason);
        }
    }

    private IOException unwritten(long term) {
        return new IOException("term " + term + " was not written, or not to its end");
    }

    private synchronized void stop(String what, IOException cause) {
        failed = true;
        fatal.accept(new DiskFailure(what + " in " + directory + " cannot be written", cause));
    }

    /** Has Ratis answer who asks for a vote only after {@link #keep}. */
    Parameters answersAfterKeeping() {
        var parameters = new Parameters();
        GrpcConfigKeys.Server.setServicesCustomizer(
                parameters, (server, services) -> server.intercept(new KeptBeforeVoting()));
        return parameters;
    }

    /**
     * Keeps the vote.
     *
     * @throws UncheckedIOException if it is not durable, and will not be; the process is being stopped
     */
    void keep() {
        keep(0);
    }

    /**
     * Keeps the vote, which must be of this term or of a later one. Blocks while that is being written: a candidate's
     * term counts in memory first, and another one may lead it before the disk has done its work.
     *
     * @throws UncheckedIOException as {@link #keep()}
     */
    synchronized void keep(long term) {
        durable(THE_VOTE, () -> {
            long since = System.nanoTime();
            for (boolean first = true; !isKept(term, first); first = false) {
                if (System.nanoTime() - since > soonNanos) {
                    throw unwritten(term);
                }
                LockSupport.parkNanos(LOOK_NANOS);
            }
        });
    }

    private boolean isKept(long term, boolean first) throws IOException {
        var version = vote.keep();
        if (version.isEmpty() && first) {
            vote.probe();
        }
        return version.filter(written -> RaftFiles.term(written) >= term).isPresent();
    }

    /**
     * Keeps the members of the group. Not what Ratis has written of them: while a snapshot is taken in, several of its
     * threads do that at once.
     *
     * @param entry says who they are
     * @throws UncheckedIOException as {@link #keep()}
     */
    synchronized void keepMembers(LogEntryProto entry) {
        durable("the members of the group", () -> members.keep(entry.toByteArray()));
    }

    @FunctionalInterface
    private interface Kept {
        void keep() throws IOException;
    }

    private void durable(String what, Kept kept) {
        try (var names = FileChannel.open(directory, StandardOpenOption.READ)) {
            if (failed) {
                // After one that failed, a sync may succeed without having written what that one lost.
                throw new IOException("an earlier write or sync of " + directory + " failed");
            }
            kept.keep();
            names.force(true);
        } catch (IOException unwritable) {
            stop(what, unwritable);
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
