package io.seqsvr.core.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** What callers are told. */
final class AnswerTest {
    @Test
    void aNameThatCannotBeOneIsToldByItsBeginning() {
        assertEquals(
                "there is no namespace 'contacts'",
                Answer.Refused.namespaceUnknown("contacts").message());
        // 10,000 calls of one request are refused with it, and a name may be as long as the request.
        assertEquals(
                "there is no namespace '" + "x".repeat(63) + "...' of 3000000 characters",
                Answer.Refused.namespaceUnknown("x".repeat(3_000_000)).message());
    }
}
