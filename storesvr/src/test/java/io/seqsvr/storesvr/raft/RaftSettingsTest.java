package io.seqsvr.storesvr.raft;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.proto.rpc.HostPort;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.junit.jupiter.api.Test;

/** What Ratis would do by itself, and must not. */
class RaftSettingsTest {
    @Test
    void whoStoodStillOverTheHolidaysStaysAMember() {
        var properties = RaftSettings.server(new HostPort("127.0.0.1", 7900), false, Path.of("raft"));
        var endsAfter = RaftServerConfigKeys.closeThreshold(properties);
        assertTrue(endsAfter.toLong(TimeUnit.DAYS) > 365, endsAfter::toString);
    }
}
