package io.sealbook.client.connection;

import io.sealbook.protocol.v1.MembershipView;

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
}
