package io.seqsvr.chaos.grpc;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Asks one server for many users at a time, and passes on whatever it says. */
public interface ManyCaller extends AutoCloseable {
    /**
     * One sequence for each of these users, in their order; nothing for those that were refused. Fails with a
     * {@link CallFailure} if there is no answer for all of them.
     */
    CompletionStage<List<Optional<Given>>> nextMany(String namespace, long[] uids);

    /**
     * What is told of the last sequence of each of these users, in their order; nothing for those that were refused.
     * Fails with a {@link CallFailure} if there is no answer for all of them.
     */
    CompletionStage<List<Optional<Told>>> currentMany(String namespace, long[] uids);

    /** Closes the connection; calls under way end as unknown. */
    @Override
    void close();
}
