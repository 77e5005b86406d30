package io.sealbook.tls.endpoint;

import io.sealbook.protocol.v1.EndpointRecord;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.PublicKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The newest record of each node. Only genuine records of present nodes come in, at most one for each, so that its size
 * is bounded by their number. Any thread.
 */
public final class EndpointBook {
    private final long chainId;
    private volatile Map<PublicKey, SignedEndpoint> newest = Map.of();

    /** What became of a record. */
    public enum Outcome {
        /** It is the newest of its node now. */
        TAKEN,
        /** It is not newer than the one here. */
        KNOWN,
        /** It is not of this chain or of a present node, has no valid form, or its node has not signed it. */
        REFUSED
    }

    /** @param chainId of the genesis file */
    public EndpointBook(long chainId) {
        this.chainId = chainId;
    }

    /**
     * Takes a record if it is genuine and newer than the one here.
     *
     * @param record as it came
     * @param present nodes at present; records of others are forgotten
     */
    public synchronized Outcome offer(EndpointRecord record, List<Node> present) {
        SignedEndpoint offered;
        try {
            offered = SignedEndpoint.read(record, chainId);
        } catch (IllegalArgumentException e) {
            return Outcome.REFUSED;
        }
        if (present.stream().noneMatch(node -> node.getIdentity().equals(offered.identity()))) {
            return Outcome.REFUSED;
        }
        SignedEndpoint known = newest.get(offered.identity());
        if (known != null && !offered.isNewerThan(known)) {
            return Outcome.KNOWN;
        }
        if (!offered.isGenuine()) {
            return Outcome.REFUSED;
        }
        Map<PublicKey, SignedEndpoint> kept = new HashMap<>();
        for (Node node : present) {
            SignedEndpoint of = newest.get(node.getIdentity());
            if (of != null) {
                kept.put(node.getIdentity(), of);
            }
        }
        kept.put(offered.identity(), offered);
        newest = Map.copyOf(kept);
        return Outcome.TAKEN;
    }

    /**
     * Returns whether a record might be taken, so that its signature would have to be verified.
     *
     * @param record as it came
     */
    public boolean isNews(EndpointRecord record) {
        try {
            SignedEndpoint offered = SignedEndpoint.read(record, chainId);
            SignedEndpoint known = newest.get(offered.identity());
            return known == null || offered.isNewerThan(known);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Returns the newest record of a node; empty if it has made none. */
    public Optional<SignedEndpoint> of(Node node) {
        return Optional.ofNullable(newest.get(node.getIdentity()));
    }

    /** Returns a node at its present addresses: those of its newest record, or as given if there is none. */
    public Node present(Node node) {
        return of(node).map(newestOf -> newestOf.in(node)).orElse(node);
    }

    /**
     * Returns the newest records of nodes, in their order.
     *
     * @param present nodes at present
     */
    public List<EndpointRecord> records(List<Node> present) {
        List<EndpointRecord> records = new ArrayList<>();
        present.forEach(node -> of(node).ifPresent(newestOf -> records.add(newestOf.record())));
        return records;
    }

    /**
     * Returns the sum of the serial numbers of {@link #records}.
     *
     * @param present nodes at present
     */
    public long serials(List<Node> present) {
        return present.stream()
                .mapToLong(node -> of(node).map(SignedEndpoint::serial).orElse(0L))
                .sum();
    }
}
