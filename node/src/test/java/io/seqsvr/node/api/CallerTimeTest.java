package io.seqsvr.node.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How long a caller's time is used. */
class CallerTimeTest {
    @ParameterizedTest
    @CsvSource({
        "1, 900_000",
        "1_000, 900_000_000",
        "10_000, 9_900_000_000",
        "60_000, 59_900_000_000",
        "2_592_000_000, 59_900_000_000"
    })
    void callersWaitLongEnoughToHearWhyAndNobodyKeepsAPlaceForDays(String timeoutMillis, String nanos) {
        assertEquals(
                Long.parseLong(nanos.replace("_", "")),
                CallerTime.usableNanos(Long.parseLong(timeoutMillis.replace("_", ""))));
    }
}
