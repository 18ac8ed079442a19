package io.seqsvr.cli.bench.failover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.seqsvr.chaos.process.NodeFailure;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a page of metrics is read. */
final class MetricsTest {
    private final Metrics page = new Metrics(
            "alloc-1",
            List.of(
                    "# TYPE seqsvr_raises_total counter",
                    "seqsvr_raises_total_more 9.0",
                    "seqsvr_raises_total{result=\"unanswered\",tier=\"allocsvr\"} 3.0",
                    "seqsvr_raises_total{result=\"answered\",tier=\"allocsvr\"} 1.2345678E7",
                    "seqsvr_segments_owned 5.0"));

    @Test
    void aCounterIsFoundByItsNameAndLabels() {
        assertEquals(12_345_678, page.count("seqsvr_raises_total", "result=\"answered\""));
        assertEquals(3, page.count("seqsvr_raises_total", "result=\"unanswered\""));
        assertEquals(5, page.count("seqsvr_segments_owned"));
    }

    @Test
    void aCounterThatIsNotThereIsNamed() {
        var failure = assertThrows(NodeFailure.class, () -> page.count("seqsvr_raises"));
        assertEquals("alloc-1 has no metric seqsvr_raises of []", failure.getMessage());
    }
}
