/** Tests of what measures AllocSvr. */
@NullMarked
package io.seqsvr.cli.bench.alloc;

import org.jspecify.annotations.NullMarked;
