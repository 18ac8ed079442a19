/** How many sequences AllocSvr hands out and how soon: callers of each kind, which check every answer. */
@NullMarked
package io.seqsvr.cli.bench.alloc;

import org.jspecify.annotations.NullMarked;
