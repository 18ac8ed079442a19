/** One replica of the store's state: the log's commands go in, memory and database change together. */
@NullMarked
package io.seqsvr.storesvr.replica;

import org.jspecify.annotations.NullMarked;
