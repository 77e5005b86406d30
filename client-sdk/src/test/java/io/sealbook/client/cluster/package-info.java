/**
 * A cluster of four nodes and engines inside one JVM: the real gRPC services on 127.0.0.1, with the agreement replaced
 * by one shared history and with faults that a test switches on by node.
 */
package io.sealbook.client.cluster;
