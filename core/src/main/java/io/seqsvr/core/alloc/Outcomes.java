package io.seqsvr.core.alloc;

import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.session.Outbox;
import io.seqsvr.core.session.SessionKeeper;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import java.util.List;

/** Whom the outcome of a command concerns. */
final class Outcomes {
    private final SessionKeeper keeper;
    private final Claims claims;
    private final Ownership owned;
    private final Stopping stopping;

    Outcomes(SessionKeeper keeper, Claims claims, Ownership owned, Stopping stopping) {
        this.keeper = keeper;
        this.claims = claims;
        this.owned = owned;
        this.stopping = stopping;
    }

    /** StoreSvr answered a command of this session, which is open. */
    void answered(Outbox.Sent sent, StoreReply reply, ClockReading now) {
        long session = keeper.session();
        boolean lost = false;
        if (sent.command() instanceof StoreCommand.Renew renew && reply instanceof StoreReply.Renewed renewed) {
            keeper.renewed(renew, renewed, sent.at(), now);
            claims.told(renewed.assignmentVersion());
            lost = !renew.holdings().isEmpty() && owned.confirmed(session, renewed.confirmed());
        } else if (sent.command() instanceof StoreCommand.Renew renew && reply instanceof StoreReply.RenewalUnheard) {
            keeper.renewalRefused(renew);
            failed(renew, now);
        } else if (reply instanceof StoreReply.Claimed claimed) {
            owned.load(session, claimed, keeper.lease().orElseThrow(), now);
            claims.answered(claimed.through(), claimed.more());
        } else if (reply instanceof StoreReply.Raised raised) {
            lost = owned.raised(session, raised);
        } else if (reply instanceof StoreReply.Released released) {
            lost = owned.released(session, sealed(sent.command()), released);
        } else if (reply instanceof StoreReply.ReceiverRefused) {
            owned.departures.receiverRefused(session, sealed(sent.command()), now);
        } else if (sent.command() instanceof StoreCommand.StoreTables store
                && reply instanceof StoreReply.TablesStored stored) {
            owned.departures.tablesStored(store, stored.stored(), session);
        } else if (sent.command() instanceof StoreCommand.FetchTables fetch
                && reply instanceof StoreReply.TablesFetched fetched) {
            owned.loading.fetched(session, fetch, fetched);
        } else if (reply instanceof StoreReply.SessionLeaving) {
            stopping.announced();
            claims.again();
        } else {
            failed(sent.command(), now);
        }
        if (lost) {
            claims.again();
        }
    }

    /**
     * No outcome, or none that helps. A later tick goes on from here, after a {@link RetryPause} for most: a command
     * that fails at once must not be sent again at once.
     */
    void failed(StoreCommand command, ClockReading now) {
        if (command instanceof StoreCommand.OpenSession open) {
            keeper.openingFailed(open, now);
        } else if (!isOfThisSession(command)) {
            return;
        }
        if (command instanceof StoreCommand.Claim) {
            claims.failed(now);
        } else if (command instanceof StoreCommand.Raise) {
            owned.raises.failed(now);
        } else if (command instanceof StoreCommand.Renew renew
                && !renew.holdings().isEmpty()) {
            owned.confirmations.failed(now);
        } else if (command instanceof StoreCommand.HandOver || command instanceof StoreCommand.Release) {
            owned.departures.failed(sealed(command), now);
        } else if (command instanceof StoreCommand.StoreTables store) {
            owned.departures.tablesFailed(store, now);
        } else if (command instanceof StoreCommand.FetchTables) {
            owned.loading.fetchFailed(now);
        } else if (command instanceof StoreCommand.Leave) {
            stopping.failed(now);
        }
    }

    boolean isOfThisSession(StoreCommand command) {
        return command instanceof StoreCommand.OfSession of && of.session() == keeper.session();
    }

    private static List<StoreCommand.Sealed> sealed(StoreCommand command) {
        return command instanceof StoreCommand.HandOver handOver
                ? handOver.items()
                : ((StoreCommand.Release) command).items();
    }
}
