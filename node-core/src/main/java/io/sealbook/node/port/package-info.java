/**
 * What a node's decisions need of the process around them, and what passes between their threads. A shell implements
 * these with sockets, queues, meters and a log; a simulation with a virtual network, disk and clock.
 */
package io.sealbook.node.port;
