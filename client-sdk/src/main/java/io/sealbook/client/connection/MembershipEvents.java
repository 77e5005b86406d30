package io.sealbook.client.connection;

import io.sealbook.protocol.v1.EndpointRecord;
import io.sealbook.protocol.v1.MembershipView;
import java.util.List;

/** What nodes say about the configuration of the chain, always on the loop thread. */
public interface MembershipEvents {
    /** Takes no interest. */
    MembershipEvents NONE = new MembershipEvents() {
        @Override
        public void onNumber(GatewayLink link, long number) {
            // Not followed.
        }

        @Override
        public void onView(GatewayLink link, MembershipView view) {
            // Not asked for.
        }

        @Override
        public void onEndpointSerials(GatewayLink link, long serials) {
            // Not followed.
        }

        @Override
        public void onEndpoints(GatewayLink link, long serials, List<EndpointRecord> records) {
            // Not asked for.
        }
    };

    /**
     * The node answered a probe.
     *
     * @param link the link that it came on
     * @param number of administrative transactions that it has executed
     */
    void onNumber(GatewayLink link, long number);

    /**
     * The node answered {@link GatewayLink#askMembership}.
     *
     * @param link the link that it came on
     * @param view of the expected node
     */
    void onView(GatewayLink link, MembershipView view);

    /**
     * The node answered a probe.
     *
     * @param link the link that it came on
     * @param serials sum of the serial numbers of the endpoint records that it has
     */
    void onEndpointSerials(GatewayLink link, long serials);

    /**
     * The node answered {@link GatewayLink#askEndpoints}.
     *
     * @param link the link that it came on
     * @param serials for which it was asked
     * @param records not verified
     */
    void onEndpoints(GatewayLink link, long serials, List<EndpointRecord> records);
}
