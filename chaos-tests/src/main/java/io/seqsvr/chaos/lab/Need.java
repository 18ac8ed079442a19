package io.seqsvr.chaos.lab;

import io.seqsvr.chaos.clock.ClockFault;
import io.seqsvr.chaos.disk.DiskFault;
import io.seqsvr.chaos.disk.LoopDisk;
import io.seqsvr.chaos.host.CpuQuota;
import io.seqsvr.chaos.host.Freezer;
import io.seqsvr.chaos.host.MemoryLimit;
import io.seqsvr.chaos.host.NativeCode;
import io.seqsvr.chaos.network.VirtualNetwork;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** What a machine must let us do, so that a fault can be made. */
public enum Need {
    /** A network namespace for each node, and a switch between them. */
    NETWORK,
    /** Proxies before AllocSvrs and routers, which know who calls. */
    PROXIES,
    /** Clocks of its own for each process. */
    CLOCKS,
    /** A limit for the processor time of a process. */
    CPU_QUOTA,
    /** A process of which no thread runs. */
    FREEZER,
    /** A limit for the memory of a running process. */
    MEMORY_LIMIT,
    /** A limit for the files of a running process. */
    FILE_LIMIT,
    /** Syncs and writes of a process that go wrong. */
    DISK_CALLS,
    /** A disk of its own for each StoreSvr peer. */
    DISKS;

    private static final Path SOCKETS = Path.of("/proc/net/tcp");

    /** Why this machine does not let us, if so; some of them are tried. */
    public Optional<String> missing() {
        return switch (this) {
            case NETWORK -> VirtualNetwork.missing();
            case PROXIES ->
                Files.isReadable(SOCKETS)
                        ? Optional.empty()
                        : Optional.of("there is no " + SOCKETS + " (Linux), which tells who calls");
            case CLOCKS -> ClockFault.missing();
            case CPU_QUOTA -> CpuQuota.missing();
            case FREEZER -> Freezer.missing();
            case MEMORY_LIMIT -> MemoryLimit.missing();
            case FILE_LIMIT -> NativeCode.missing("prlimit", "util-linux");
            case DISK_CALLS -> DiskFault.missing();
            case DISKS -> LoopDisk.missing();
        };
    }
}
