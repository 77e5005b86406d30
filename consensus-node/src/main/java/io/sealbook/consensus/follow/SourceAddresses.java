package io.sealbook.consensus.follow;

import io.grpc.CallCredentials;
import io.grpc.ChannelCredentials;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Where a follower finds its sources, and what it connects with.
 *
 * @param addresses returns HOST:PORT of gateways at present, in the order in which they are tried, one or more
 * @param credentials of the connections
 * @param role added to each call; empty without one
 */
record SourceAddresses(
        Supplier<List<String>> addresses, ChannelCredentials credentials, Optional<CallCredentials> role) {}
