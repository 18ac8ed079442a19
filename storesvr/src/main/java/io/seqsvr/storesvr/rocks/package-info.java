/** RocksDB: rows, key layout and checkpoints. Nothing outside this package knows RocksDB. */
@NullMarked
package io.seqsvr.storesvr.rocks;

import org.jspecify.annotations.NullMarked;
