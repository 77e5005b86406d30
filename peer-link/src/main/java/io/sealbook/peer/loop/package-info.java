/** Event loops for sockets, as the links between nodes and the gateway use them. */
package io.sealbook.peer.loop;
