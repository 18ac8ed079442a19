/** When what was written to a connection goes out. */
@NullMarked
package io.seqsvr.node.flush;

import org.jspecify.annotations.NullMarked;
