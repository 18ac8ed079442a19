package io.seqsvr.cli.bench.failover;

import io.seqsvr.chaos.grpc.Given;
import java.util.concurrent.CompletionStage;

/** One way to a user's next sequences. */
interface Caller extends AutoCloseable {
    /** Takes so many, within the deadline and with all retries; a failure bears for people why it was given up. */
    CompletionStage<Given> next(long uid, int count);

    @Override
    void close();
}
