/** The rules by which a group changes. */
@NullMarked
package io.seqsvr.storesvr.peer;

import org.jspecify.annotations.NullMarked;
