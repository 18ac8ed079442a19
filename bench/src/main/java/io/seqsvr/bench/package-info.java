/** What single parts of seqsvr cost. */
@NullMarked
package io.seqsvr.bench;

import org.jspecify.annotations.NullMarked;
