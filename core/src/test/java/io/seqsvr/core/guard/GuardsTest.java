package io.seqsvr.core.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which guards are in force: all of them, unless somebody took some away by name. */
class GuardsTest {
    @Test
    void allGuardsAreInForce() {
        for (var guard : Guard.values()) {
            assertTrue(Guards.ALL.on(guard), guard.name());
        }
        assertEquals("all guards", Guards.ALL.toString());
    }

    @Test
    void eachCanBeTakenAwayAlone() {
        for (var missing : Guard.values()) {
            var guards = Guards.without(List.of(missing));
            for (var guard : Guard.values()) {
                assertEquals(guard != missing, guards.on(guard), guard + " without " + missing);
            }
            assertEquals("all guards but [" + missing + "]", guards.toString());
        }
    }

    @Test
    void whatIsTakenAwayElsewhereDoesNotConcernTheOthers() {
        var none = Guards.without(EnumSet.allOf(Guard.class));
        for (var guard : Guard.values()) {
            assertFalse(none.on(guard), guard.name());
            assertTrue(Guards.ALL.on(guard), guard.name());
        }
        var list = new ArrayList<>(List.of(Guard.SEAL_IS_FINAL));
        var one = Guards.without(list);
        list.add(Guard.EPOCH_GROWS);
        assertTrue(one.on(Guard.EPOCH_GROWS), "a change of the list afterwards counts");
    }

    @Test
    void withoutTakingAnythingAwayAllAreInForce() {
        assertEquals("all guards", Guards.without(List.of()).toString());
    }
}
