/** An application that serves gRPC with an older version and Netty. */
package io.sealbook.consumers.oldgrpc;
