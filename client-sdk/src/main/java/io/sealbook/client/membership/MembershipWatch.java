package io.sealbook.client.membership;

import io.sealbook.client.connection.AnswerQuorum;
import io.sealbook.client.connection.ClientLoop;
import io.sealbook.client.connection.GatewayLink;
import io.sealbook.client.connection.MembershipEvents;
import io.sealbook.client.proof.MembershipJudge;
import io.sealbook.client.proof.ProvenMembers;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.EndpointRecord;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.MembershipView;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.PublicKey;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Follows the configuration of the chain: brokers, keys, accounts, instruments, nodes and their addresses. A node that
 * reports another number of administrative transactions than is known is asked for its configuration, and what f + 1
 * nodes report alike is believed. Who the nodes are is proven at the start, and whenever one node goes on to report
 * what f + 1 others do not: then it is asked for a membership proof, of which nothing need be believed. Loop thread
 * only, but for {@link #refusals}.
 */
public final class MembershipWatch implements MembershipEvents {
    private static final Logger log = System.getLogger(MembershipWatch.class.getName());
    private static final long UNKNOWN = -1;

    private final long chainId;
    private final AnswerQuorum quorum;
    private final MembershipView[] views;
    private final Consumer<Genesis> onTerms;
    private final EndpointWatch endpoints;
    private final ProofFetch proofs;
    /** Nodes that reported at their last probe what was not known then. */
    private final Set<Integer> unconfirmed = new HashSet<>();

    private final CompletableFuture<Void> known = new CompletableFuture<>();
    private long number = UNKNOWN;

    /** What becomes of news. */
    public interface Listener {
        /** Takes the configuration, at the start and after each change. */
        void onTerms(Genesis terms);

        /** Takes the present nodes at their present addresses, after each change. */
        void onAddresses(List<Node> nodes);
    }

    /**
     * Knows who the nodes are as far as that is proven, and nothing else yet.
     *
     * @param genesis of the chain
     * @param proven members of the chain
     * @param file in which proofs are kept that lead further, or none
     * @param proofTimeout of a node that is asked for a proof, at first
     * @param quorum how many nodes must report the same
     * @param loop on which everything here runs
     * @param listener gets what is believed
     */
    public MembershipWatch(
            GenesisFile genesis,
            ProvenMembers proven,
            Optional<ProofFile> file,
            Duration proofTimeout,
            AnswerQuorum quorum,
            ClientLoop loop,
            Listener listener) {
        this.chainId = genesis.genesis().getChainId();
        this.endpoints = new EndpointWatch(chainId, proven.nodes(), listener::onAddresses);
        this.proofs = new ProofFetch(loop, new MembershipJudge(genesis), proven, file, proofTimeout, this::onProven);
        this.quorum = quorum;
        this.views = new MembershipView[quorum.capacity()];
        this.onTerms = listener::onTerms;
    }

    /** Returns a future that completes with the first configuration, or with what {@code onTerms} threw about it. */
    public CompletableFuture<Void> known() {
        return known;
    }

    /** Returns for each node that sent a membership proof that does not hold the fact that speaks against it. */
    public Map<Integer, String> refusals() {
        return proofs.refusals();
    }

    /** Returns who the nodes were and are; empty while that is not proven for the last change that is known. */
    public Optional<ProvenMembers> proven() {
        boolean isWhole = number != UNKNOWN
                && Long.compareUnsigned(number, proofs.proven().number()) <= 0;
        return isWhole ? Optional.of(proofs.proven()) : Optional.empty();
    }

    /** Asks a node for the proof of the last change that is known. */
    public void prove(GatewayLink link) {
        proofs.onConfirmed(link, number);
    }

    @Override
    public void onNumber(GatewayLink link, long reported) {
        boolean isNews = number == UNKNOWN || Long.compareUnsigned(reported, number) > 0;
        if (!isNews) {
            unconfirmed.remove(link.nodeId());
            proofs.onConfirmed(link, reported);
            return;
        }
        link.askMembership();
        // A change that all nodes have executed needs no proof: they report it alike before the next probe.
        boolean wasNews = !unconfirmed.add(link.nodeId());
        if (number == UNKNOWN || wasNews) {
            proofs.onUnconfirmed(link, reported);
        }
    }

    /** Who the nodes are is proven, whatever f + 1 of the former ones report. */
    private void onProven(ProvenMembers members) {
        List<Node> former = endpoints.nodes();
        List<Node> present = members.nodes();
        for (int id = 0; id < views.length; id++) {
            boolean isSame = id < Math.min(former.size(), present.size())
                    && former.get(id).getIdentity().equals(present.get(id).getIdentity());
            if (!isSame || views[id] != null && contradictsProof(views[id])) {
                views[id] = null;
            }
        }
        if (number == UNKNOWN || Long.compareUnsigned(members.number(), number) > 0) {
            endpoints.onNodes(present);
        }
    }

    private boolean contradictsProof(MembershipView view) {
        int order = Long.compareUnsigned(view.getNumber(), proofs.proven().number());
        return order < 0
                || order == 0
                        && !identities(view.getTerms().getNodesList())
                                .equals(identities(proofs.proven().nodes()));
    }

    private static List<PublicKey> identities(List<Node> nodes) {
        return nodes.stream().map(Node::getIdentity).toList();
    }

    @Override
    public void onView(GatewayLink link, MembershipView view) {
        if (view.getTerms().getChainId() != chainId
                || contradictsProof(view)
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
        proofs.onAdvance();
        try {
            endpoints.onNodes(view.getTerms().getNodesList());
            onTerms.accept(view.getTerms());
            known.complete(null);
        } catch (IllegalArgumentException e) {
            if (!known.completeExceptionally(e)) {
                log.log(
                        Level.WARNING,
                        "the terms after transaction {0} are not taken, orders are judged by the ones before: {1}",
                        Long.toUnsignedString(number),
                        e.getMessage());
            }
        }
    }

    private static boolean isSame(MembershipView one, MembershipView other) {
        return one.getNumber() == other.getNumber()
                && one.getDigest().equals(other.getDigest())
                && one.getTerms().equals(other.getTerms());
    }
}
