/** What single parts of seqsvr cost, in CPU time of one thread. */
@NullMarked
package io.seqsvr.bench;

import org.jspecify.annotations.NullMarked;
