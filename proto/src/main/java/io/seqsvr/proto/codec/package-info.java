/** From core's values to messages and back, for every module that sends, receives or keeps them. */
@NullMarked
package io.seqsvr.proto.codec;

import org.jspecify.annotations.NullMarked;
