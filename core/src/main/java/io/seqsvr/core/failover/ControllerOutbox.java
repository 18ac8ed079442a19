package io.seqsvr.core.failover;

import io.seqsvr.core.session.Outbox;
import io.seqsvr.core.session.RoleEvent;
import io.seqsvr.core.store.StoreCommand;

/** A controller's effects. */
final class ControllerOutbox extends Outbox<ControllerEffect> {
    /** Has an owner hand segments over. */
    void order(BalancePlan.Order order) {
        add(new ControllerEffect.Order(order));
    }

    @Override
    protected ControllerEffect sending(long call, StoreCommand command) {
        return new ControllerEffect.Send(call, command);
    }

    @Override
    protected ControllerEffect reporting(RoleEvent event) {
        return new ControllerEffect.Report(event);
    }

    @Override
    protected ControllerEffect watchingElsewhere() {
        return new ControllerEffect.WatchElsewhere();
    }
}
