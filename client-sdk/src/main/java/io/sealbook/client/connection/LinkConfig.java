package io.sealbook.client.connection;

import io.sealbook.client.ChannelFactory;

/**
 * How links behave.
 *
 * @param backoffMinNs shortest delay before a lost stream or node is tried again
 * @param backoffMaxNs longest such delay
 * @param probeIntervalNs between two looks at the state of a node that answers
 * @param probeTimeoutNs after which a node that does not answer is lost
 */
public record LinkConfig(
        long chainId,
        int brokerId,
        ChannelFactory channels,
        long backoffMinNs,
        long backoffMaxNs,
        long probeIntervalNs,
        long probeTimeoutNs) {}
