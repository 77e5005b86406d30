package io.sealbook.consensus.follow;

import io.grpc.CallCredentials;
import io.grpc.ChannelCredentials;
import java.util.List;
import java.util.Optional;

/**
 * Where a follower finds its sources, and what it connects with.
 *
 * @param addresses HOST:PORT of gateways, in the order in which they are tried, one or more
 * @param credentials of the connections
 * @param role added to each call; empty without one
 */
record SourceAddresses(List<String> addresses, ChannelCredentials credentials, Optional<CallCredentials> role) {
    SourceAddresses {
        addresses = List.copyOf(addresses);
    }
}
