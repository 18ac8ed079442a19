/** The router's public service: finds the owner and passes requests on. */
@NullMarked
package io.seqsvr.router.grpc;

import org.jspecify.annotations.NullMarked;
