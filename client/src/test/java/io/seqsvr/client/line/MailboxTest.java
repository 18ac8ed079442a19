package io.seqsvr.client.line;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who is turned away at a box may do as it likes. */
@Timeout(60)
class MailboxTest {
    private final Set<Integer> turnedAway = ConcurrentHashMap.newKeySet();
    private final Mailbox<Integer> mailbox = new Mailbox<>(4, task -> {}, () -> {}, this::isTooLate);

    /** Calls again, on a thread of its own, and waits for what comes of that. */
    private void isTooLate(int item) {
        turnedAway.add(item);
        if (item == 1) {
            CompletableFuture.runAsync(() -> mailbox.put(2), task -> new Thread(task).start())
                    .orTimeout(10, TimeUnit.SECONDS)
                    .join();
        }
    }

    @Test
    void whoIsTurnedAwayMayWaitForSomebodyElseWhoIs() {
        assertTrue(mailbox.put(1));
        mailbox.close();
        assertEquals(Set.of(1, 2), turnedAway);
    }
}
