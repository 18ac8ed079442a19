/** When what was written to a connection goes out, and how it never does. */
@NullMarked
package io.seqsvr.node.flush;

import org.jspecify.annotations.NullMarked;
