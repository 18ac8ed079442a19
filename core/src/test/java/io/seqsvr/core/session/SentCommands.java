package io.seqsvr.core.session;

import io.seqsvr.core.store.StoreCommand;
import java.util.Optional;

/** Keeps the commands of a keeper; nobody reads the rest. */
final class SentCommands extends Outbox<Optional<StoreCommand>> {
    @Override
    protected Optional<StoreCommand> sending(long call, StoreCommand command) {
        return Optional.of(command);
    }

    @Override
    protected Optional<StoreCommand> watchingElsewhere() {
        return Optional.empty();
    }

    @Override
    protected Optional<StoreCommand> reporting(RoleEvent event) {
        return Optional.empty();
    }
}
