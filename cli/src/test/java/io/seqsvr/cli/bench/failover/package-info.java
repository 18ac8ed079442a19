/** How waits are counted, and what can be measured. */
@NullMarked
package io.seqsvr.cli.bench.failover;

import org.jspecify.annotations.NullMarked;
