package io.seqsvr.router.role;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import io.seqsvr.core.failover.BalancePlan;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreView.Member;
import io.vertx.core.Vertx;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Orders to owners that may be anywhere, or nowhere. */
class OrderLineTest {
    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        vertx.close().await();
    }

    private static Member member(long session, String address) {
        return new Member(session, SessionKind.ALLOCATOR, "alloc-" + session, address, 1, false, false, true);
    }

    /** What a controller orders besides comes after it in a list: whoever threw here would lose that. */
    @Test
    void anOwnerThatSaysNoAddressIsLikeOneThatCannotBeReached() {
        var line = new OrderLine(vertx);
        for (var address : List.of("former-life", "alloc-1:0", "127.0.0.1:1")) {
            var order = new BalancePlan.Order(
                    member(1, address), member(2, "127.0.0.1:2"), List.of(new RouteRange(1, 0, 3, 1, 5)));
            assertDoesNotThrow(() -> line.give("cluster-1", order), address);
        }
    }
}
