package io.seqsvr.chaos.proxy;

import java.util.List;

/** What Linux tells under /proc about sockets and who holds them. */
interface ProcFiles {
    /** The lines of net/tcp and net/tcp6, without their headings. */
    List<String> tcpSockets();

    /** Where the open descriptors of a process lead, such as {@code socket:[4711]}; none if the process is gone. */
    List<String> descriptors(long pid);
}
