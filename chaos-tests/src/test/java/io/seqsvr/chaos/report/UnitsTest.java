package io.seqsvr.chaos.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Figures as people read them. */
final class UnitsTest {
    @Test
    void aWaitHasThreeDigits() {
        assertEquals("0 ms", Units.millis(0));
        assertEquals("999 ms", Units.millis(999));
        assertEquals("4.70 s", Units.millis(4_702));
        assertEquals("47.0 s", Units.millis(47_020));
        assertEquals("470 s", Units.millis(470_200));
    }

    @Test
    void aSpanIsSecondsMinutesOrHours() {
        assertEquals("60 s", Units.span(60.2));
        assertEquals("10 min", Units.span(601));
        assertEquals("1 h", Units.span(3_599));
        assertEquals("2 h 20 min", Units.span(8_400));
    }

    @Test
    void aTimeOfARunIsAClockThatBeganWithIt() {
        assertEquals("0:00", Units.sinceBegin(-3));
        assertEquals("4:05", Units.sinceBegin(245_900));
        assertEquals("1:04:05", Units.sinceBegin(3_845_000));
    }

    @Test
    void aLevelOfLatencyIsAPowerOfTen() {
        assertEquals("100 \u00b5s", Units.powerOfTenMicros(100));
        assertEquals("10 ms", Units.powerOfTenMicros(1e4));
        assertEquals("1 s", Units.powerOfTenMicros(1e6));
    }
}
