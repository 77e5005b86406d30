package io.sealbook.client.cluster;

import static io.sealbook.archive.administration.ChangingChain.replaceNode;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.administration.ChangingChain;
import io.sealbook.archive.proof.MembershipProver;
import io.sealbook.crypto.Signer;
import io.sealbook.protocol.v1.Node;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A chain of blocks that replace nodes, and the proofs that nodes make of it. One thread. */
public final class ProvenChanges {
    private final ChangingChain chain;
    private long number;
    private byte[] proof = {};

    /**
     * Has no block yet.
     *
     * @param genesisJson bytes of the genesis file
     * @param identities keys of its nodes
     */
    ProvenChanges(byte[] genesisJson, List<Signer> identities) {
        chain = new ChangingChain(genesisJson, identities);
    }

    /**
     * Replaces a node in the next block, with the approvals and under the certificate of nodes 0, 1 and 3.
     *
     * @param node as it is from then on
     * @param identity its key
     */
    public void replace(Node node, Signer identity) {
        chain.append(chain.transaction(++number, replaceNode(node)));
        chain.certify();
        chain.changeIdentity(node.getNodeId(), identity);
        proof = prove();
    }

    /** Returns the membership proof as of the last block; no bytes before the first. */
    public byte[] proof() {
        return proof;
    }

    private byte[] prove() {
        try {
            Path directory = Files.createTempDirectory("proven-changes");
            try {
                chain.writeUncertifiedTo(directory);
                try (ArchiveReader archive = ArchiveReader.open(directory, chain.config())) {
                    return new MembershipProver(archive).prove().encode();
                }
            } finally {
                delete(directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
