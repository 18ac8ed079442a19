/** Runs core's failover controller on one event loop, and keeps what the watch saw. */
@NullMarked
package io.seqsvr.router.role;

import org.jspecify.annotations.NullMarked;
