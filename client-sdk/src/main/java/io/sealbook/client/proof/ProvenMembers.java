package io.sealbook.client.proof;

import static io.sealbook.client.proof.InclusionLinks.require;

import io.sealbook.crypto.VerificationKey;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Node;
import io.sealbook.vocabulary.BatchView;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The members of a chain as far as they are proven: by the genesis file, or by a membership proof. Immutable. */
public final class ProvenMembers {
    private final Genesis terms;
    private final long number;
    /** The nodes of each epoch by the block that ended the epoch before; the first by 0. */
    private final NavigableMap<Long, List<Node>> epochs;
    /** Of the blocks with administrative batches, each once. */
    private final List<HeaderBytes> administrative;
    /** Of the last block that is covered; empty if the genesis file is all that is known. */
    private final Optional<HeaderBytes> tip;

    private ProvenMembers(
            Genesis terms,
            long number,
            NavigableMap<Long, List<Node>> epochs,
            List<HeaderBytes> administrative,
            Optional<HeaderBytes> tip) {
        this.terms = terms;
        this.number = number;
        this.epochs = epochs;
        this.administrative = administrative;
        this.tip = tip;
    }

    /** Returns what the genesis file alone proves. */
    public static ProvenMembers of(Genesis genesis) {
        NavigableMap<Long, List<Node>> first = new TreeMap<>(Map.of(0L, genesis.getNodesList()));
        return new ProvenMembers(genesis, 0, first, List.of(), Optional.empty());
    }

    /**
     * Returns what a proof shows that holds.
     *
     * @param terms after its transactions
     * @param number of executed transactions
     * @param epochs nodes of each epoch by the block that ended the epoch before, the first by 0
     * @param administrative headers of the blocks with administrative batches, each once, ascending
     * @param tip header of the last block that is covered
     */
    static ProvenMembers of(
            Genesis terms,
            long number,
            NavigableMap<Long, List<Node>> epochs,
            List<HeaderBytes> administrative,
            HeaderBytes tip) {
        return new ProvenMembers(terms, number, new TreeMap<>(epochs), List.copyOf(administrative), Optional.of(tip));
    }

    /** Returns the present nodes by their ids, where the genesis file or the transaction that brought them has them. */
    public List<Node> nodes() {
        return terms.getNodesList();
    }

    /**
     * Returns the nodes whose signatures count under a certificate. After the last block that is covered they are those
     * of the newest proven epoch.
     *
     * @param certifiedBlock at least 1
     */
    public List<Node> nodesAt(long certifiedBlock) {
        return epochs.lowerEntry(certifiedBlock).getValue();
    }

    /** Returns the key that a batch of orders names, present or revoked; empty if it is not known here. */
    Optional<VerificationKey> keyOf(BatchView orders) {
        return terms.getBrokersList().stream()
                .filter(broker -> broker.getBrokerId() == orders.brokerId())
                .flatMap(broker -> broker.getKeysList().stream())
                .filter(key -> key.getKeyId() == orders.keyId())
                .map(key -> InclusionLinks.key(key.getKey()))
                .filter(key -> key.scheme().code() == orders.schemeCode())
                .findFirst();
    }

    /** Returns how many administrative transactions have been executed. */
    public long number() {
        return number;
    }

    /** Returns the last block that is covered; 0 if the genesis file is all that is known. */
    public long certifiedBlock() {
        return tip.map(HeaderBytes::sequence).orElse(0L);
    }

    /**
     * Requires that another proof is of the same chain as this one. Former nodes whose keys were stolen can certify
     * another chain from their time on, but not one that has the blocks that are known here.
     *
     * @throws IllegalArgumentException if it contradicts this one: only one of them can be of this chain
     */
    public void requireSameChain(ProvenMembers other) {
        boolean isFirst = certifiedBlock() <= other.certifiedBlock();
        ProvenMembers shorter = isFirst ? this : other;
        ProvenMembers longer = isFirst ? other : this;
        shorter.tip.ifPresent(end -> {
            boolean isAgreed = longer.before(end).equals(shorter.before(end))
                    && longer.headers()
                            .filter(header -> header.sequence() == end.sequence())
                            .allMatch(end::equals)
                    && (longer.certifiedBlock() == end.sequence()
                            || longer.administrative.containsAll(shorter.administrative));
            require(
                    isAgreed,
                    "it contradicts what is known: its administrative blocks are " + sequences(other.administrative)
                            + " up to block " + other.certifiedBlock() + ", known are " + sequences(administrative)
                            + " up to block " + certifiedBlock() + ", and both are certified");
        });
    }

    private List<HeaderBytes> before(HeaderBytes end) {
        return administrative.stream()
                .filter(header -> header.sequence() < end.sequence())
                .toList();
    }

    private Stream<HeaderBytes> headers() {
        return Stream.concat(administrative.stream(), tip.stream());
    }

    private static List<Long> sequences(List<HeaderBytes> headers) {
        return headers.stream().map(HeaderBytes::sequence).toList();
    }
}
