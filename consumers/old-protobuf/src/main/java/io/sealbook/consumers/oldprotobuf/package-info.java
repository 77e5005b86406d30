/** An application with messages of an older protobuf, and with another gRPC that has Netty inside. */
package io.sealbook.consumers.oldprotobuf;
