/**
 * A proxy in front of every port of every member, whose links between two members can be delayed, narrowed, held, cut
 * and made unreliable, each direction apart. It needs no privilege: members listen at loopback addresses of their own,
 * and the genesis file names the proxy's.
 */
package io.sealbook.perf.proxy;
