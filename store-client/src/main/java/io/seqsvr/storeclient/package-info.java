/** How a process talks to StoreSvr: commands to the leader, and a watch for what changed. */
@NullMarked
package io.seqsvr.storeclient;

import org.jspecify.annotations.NullMarked;
