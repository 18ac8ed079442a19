/** Real processes of seqsvr, started through its launcher, asked by real clients and killed on purpose. */
@NullMarked
package io.seqsvr.chaos.process;

import org.jspecify.annotations.NullMarked;
