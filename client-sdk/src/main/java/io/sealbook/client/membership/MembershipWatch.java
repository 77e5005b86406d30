package io.sealbook.client.membership;

import io.sealbook.client.connection.AnswerQuorum;
import io.sealbook.client.connection.GatewayLink;
import io.sealbook.client.connection.MembershipEvents;
import io.sealbook.protocol.v1.EndpointRecord;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.MembershipView;
import io.sealbook.protocol.v1.Node;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Follows the configuration of the chain: brokers, keys, accounts, instruments, nodes and their addresses. A node that
 * reports another number of administrative transactions than is known is asked for its configuration, and what f + 1
 * nodes report alike is believed. Loop thread only.
 */
public final class MembershipWatch implements MembershipEvents {
    private static final long UNKNOWN = -1;

    private final long chainId;
    private final AnswerQuorum quorum;
    private final MembershipView[] views;
    private final Consumer<Genesis> onTerms;
    private final EndpointWatch endpoints;
    private final CompletableFuture<Void> known = new CompletableFuture<>();
    private long number = UNKNOWN;

    /**
     * Knows nothing yet.
     *
     * @param genesis of the chain
     * @param quorum how many nodes must report the same
     * @param onTerms gets the configuration at the start and after each change
     * @param onAddresses gets the present nodes at their present addresses after each change
     */
    public MembershipWatch(
            Genesis genesis, AnswerQuorum quorum, Consumer<Genesis> onTerms, Consumer<List<Node>> onAddresses) {
        this.chainId = genesis.getChainId();
        this.endpoints = new EndpointWatch(genesis, onAddresses);
        this.quorum = quorum;
        this.views = new MembershipView[quorum.capacity()];
        this.onTerms = onTerms;
    }

    /** Returns a future that completes with the first configuration, or with what {@code onTerms} threw about it. */
    public CompletableFuture<Void> known() {
        return known;
    }

    @Override
    public void onNumber(GatewayLink link, long reported) {
        if (number == UNKNOWN || Long.compareUnsigned(reported, number) > 0) {
            link.askMembership();
        }
    }

    @Override
    public void onView(GatewayLink link, MembershipView view) {
        if (view.getTerms().getChainId() != chainId
                || number != UNKNOWN && Long.compareUnsigned(view.getNumber(), number) <= 0) {
            return;
        }
        views[link.nodeId()] = view;
        int count = 0;
        for (MembershipView other : views) {
            if (other != null && isSame(other, view)) {
                count++;
            }
        }
        if (count >= quorum.needed()) {
            believe(view);
        }
    }

    @Override
    public void onEndpointSerials(GatewayLink link, long serials) {
        endpoints.onSerials(link, serials);
    }

    @Override
    public void onEndpoints(GatewayLink link, long serials, List<EndpointRecord> records) {
        endpoints.onRecords(link, serials, records);
    }

    private void believe(MembershipView view) {
        number = view.getNumber();
        Arrays.fill(views, null);
        try {
            endpoints.onNodes(view.getTerms().getNodesList());
            onTerms.accept(view.getTerms());
            known.complete(null);
        } catch (IllegalArgumentException e) {
            known.completeExceptionally(e);
        }
    }

    private static boolean isSame(MembershipView one, MembershipView other) {
        return one.getNumber() == other.getNumber()
                && one.getDigest().equals(other.getDigest())
                && one.getTerms().equals(other.getTerms());
    }
}
