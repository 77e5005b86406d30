package io.sealbook.consensus.follow;

import io.grpc.ChannelCredentials;
import java.util.List;

/**
 * Where a follower finds its sources, and what it connects with.
 *
 * @param addresses HOST:PORT of gateways, in the order in which they are tried, one or more
 * @param credentials of the connections
 */
record SourceAddresses(List<String> addresses, ChannelCredentials credentials) {
    SourceAddresses {
        addresses = List.copyOf(addresses);
    }
}
