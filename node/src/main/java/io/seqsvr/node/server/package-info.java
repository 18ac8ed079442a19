/** The one port of a node: gRPC, JSON, health, reflection and metrics. */
@NullMarked
package io.seqsvr.node.server;

import org.jspecify.annotations.NullMarked;
