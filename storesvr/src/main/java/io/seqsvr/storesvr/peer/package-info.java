/** What a peer is to its group: about to join, in it, or taken out; and the rules by which a group changes. */
@NullMarked
package io.seqsvr.storesvr.peer;

import org.jspecify.annotations.NullMarked;
