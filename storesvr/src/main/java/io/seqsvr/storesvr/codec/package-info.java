/** What wire, log and rows share: settings between the form of the rules and that of the messages. */
@NullMarked
package io.seqsvr.storesvr.codec;

import org.jspecify.annotations.NullMarked;
