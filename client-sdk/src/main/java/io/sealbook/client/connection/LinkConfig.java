package io.sealbook.client.connection;

import io.grpc.CallCredentials;
import io.sealbook.client.ChannelFactory;

/**
 * How links behave.
 *
 * @param role added to each call, so that node and engine serve what is the broker's
 * @param backoffMinNs shortest delay before a lost stream or node is tried again
 * @param backoffMaxNs longest such delay
 * @param probeIntervalNs between two looks at the state of a node that answers
 * @param probeTimeoutNs after which a node that does not answer is lost
 */
public record LinkConfig(
        long chainId,
        int brokerId,
        ChannelFactory channels,
        CallCredentials role,
        long backoffMinNs,
        long backoffMaxNs,
        long probeIntervalNs,
        long probeTimeoutNs) {}
