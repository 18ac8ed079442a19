/** Measures what users notice while nodes of a whole cluster are stopped, drained or killed. */
@NullMarked
package io.seqsvr.cli.bench.failover;

import org.jspecify.annotations.NullMarked;
