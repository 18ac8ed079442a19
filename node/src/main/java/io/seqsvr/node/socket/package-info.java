/** Which connections a node takes, when what was written to one goes out, and how it never does. */
@NullMarked
package io.seqsvr.node.socket;

import org.jspecify.annotations.NullMarked;
