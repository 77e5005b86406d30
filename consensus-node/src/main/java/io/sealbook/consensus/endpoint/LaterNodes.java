package io.sealbook.consensus.endpoint;

import io.sealbook.archive.proof.LightChain;
import io.sealbook.archive.proof.MembershipProof;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.membership.Membership;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Node;
import io.sealbook.vocabulary.BrokenInvariantException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The nodes that the others are by now, for a node that is epochs behind: from the membership proof in its directory,
 * if its operator put one there. The proof is verified from the genesis file on, and no source is believed.
 *
 * @param nodes by node id; empty if there is no proof of a later epoch
 * @param hints the nodes of the genesis file, by node id, at the addresses that the operator's copy of it names; empty
 *     if there is no such proof
 */
public record LaterNodes(List<Node> nodes, List<Node> hints) {
    /** Of a node that is in the epoch of the others, as far as it can know. */
    public static final LaterNodes NONE = new LaterNodes(List.of(), List.of());

    private static final Logger log = LoggerFactory.getLogger(LaterNodes.class);

    /**
     * Returns the nodes of the last epoch that a proof shows.
     *
     * @param epoch of this node
     * @param file may be absent; one that proves nothing has a line in the log, and is not used
     * @param genesis of the chain
     * @param verifier of the nodes' signatures
     */
    public static LaterNodes after(int epoch, Path file, GenesisFile genesis, SignatureVerifier verifier) {
        if (!Files.exists(file)) {
            return NONE;
        }
        try {
            LightChain chain = new LightChain(genesis, verifier);
            chain.advance(MembershipProof.decode(Files.readAllBytes(file)));
            Membership last = chain.known().epochs().last();
            if (last.epoch() <= epoch) {
                return NONE;
            }
            log.info("links to nodes that are ahead: their keys of epoch {} are those of {}", last.epoch(), file);
            return new LaterNodes(last.terms().getNodesList(), genesis.genesis().getNodesList());
        } catch (IOException | IllegalArgumentException | BrokenInvariantException e) {
            log.error("{} is not used: {}; make it again with 'light'", file, e.toString());
            return NONE;
        }
    }
}
