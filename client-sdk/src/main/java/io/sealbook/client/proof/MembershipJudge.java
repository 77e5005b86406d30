package io.sealbook.client.proof;

import static io.sealbook.client.proof.InclusionLinks.quorum;
import static io.sealbook.client.proof.InclusionLinks.require;

import io.sealbook.membership.Membership;
import io.sealbook.membership.UnknownProtocolVersionException;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Node;
import io.sealbook.vocabulary.AdministrativeBatch;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.SignedBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * Judges a membership proof with the genesis file alone, as {@code block-archive/doc/proof-format.md} says: the nodes
 * of each epoch certified the blocks that changed them, each header names the administrative block before it, and the
 * transactions are executed as engines execute them. Any thread; it costs a signature per node and administrative
 * batch.
 */
public final class MembershipJudge {
    private final GenesisFile genesis;
    private final InclusionLinks links;

    /** @param genesis of the chain */
    public MembershipJudge(GenesisFile genesis) {
        this.genesis = genesis;
        this.links = new InclusionLinks(genesis);
    }

    /**
     * Follows the evidence from the genesis file to the last block that is covered.
     *
     * @param file from anybody
     * @throws IllegalArgumentException at the first link that does not hold; the message has the fact
     * @throws UnknownProtocolVersionException if the chain goes on under rules that this build does not have
     */
    public ProvenMembers judge(byte[] file) {
        MembershipFile proof = MembershipFile.read(file);
        links.requireChain(proof.genesisDigest());
        Course course = new Course(Membership.of(genesis.genesis()));
        proof.transactions().forEach(course::take);
        return course.end(proof);
    }

    /** The chain of memberships so far. */
    private final class Course {
        /** The newest membership of each epoch by the block that ended the epoch before; the first by 0. */
        private final TreeMap<Long, Membership> epochs = new TreeMap<>();

        private final List<HeaderBytes> administrative = new ArrayList<>();
        private Membership membership;
        private int lastIndex;

        Course(Membership first) {
            enter(first);
        }

        private void enter(Membership next) {
            membership = next;
            epochs.put(next.epochBlock(), next);
        }

        void take(ProofReader next) {
            HeaderBytes header = next.header();
            String block = "block " + header.sequence() + ": ";
            BatchView batch;
            try {
                links.follow(next);
                batch = administrative(next.signedBatch());
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(block + e.getMessage(), e);
            }
            requireCertified(next.certificate());
            require(
                    links.isSigned(next, membership.identity(batch.session(), batch.keyId())),
                    block + "its batch is not signed by the key that it names");
            if (header.sequence() == lastBlock()) {
                require(
                        header.equals(administrative.get(administrative.size() - 1)) && next.index() > lastIndex,
                        block + "batch " + next.index() + " does not follow batch " + lastIndex);
            } else {
                requireLink(header);
                administrative.add(header);
            }
            lastIndex = next.index();
            enter(membership
                    .apply(AdministrativeBatch.transaction(batch), header.sequence())
                    .membership());
        }

        private static BatchView administrative(byte[] signedBatch) {
            boolean isWhole = signedBatch.length >= SignedBatch.signedLength(0);
            BatchView batch = isWhole ? new BatchView().wrap(signedBatch) : new BatchView();
            require(isWhole && batch.isAdministrative(), "the batch is not administrative");
            return batch;
        }

        ProvenMembers end(MembershipFile proof) {
            HeaderBytes tip = proof.tip();
            InclusionLinks.requireOf(proof.certificate(), tip);
            requireCertified(proof.certificate());
            if (tip.sequence() == lastBlock()) {
                require(
                        tip.equals(administrative.get(administrative.size() - 1)),
                        "block " + tip.sequence() + " has two headers");
            } else {
                requireLink(tip);
            }
            return ProvenMembers.of(membership.terms(), membership.number(), nodes(), administrative, tip);
        }

        private NavigableMap<Long, List<Node>> nodes() {
            NavigableMap<Long, List<Node>> nodes = new TreeMap<>();
            epochs.forEach((block, epoch) -> nodes.put(block, epoch.terms().getNodesList()));
            return nodes;
        }

        private void requireCertified(ProofReader.Certificate certificate) {
            Membership nodes = epochs.lowerEntry(certificate.sequence()).getValue();
            List<Node> present = nodes.terms().getNodesList();
            SortedSet<Integer> signers = links.signers(certificate, present);
            require(
                    signers.size() >= quorum(present.size()),
                    "block " + certificate.sequence() + ": valid signatures of nodes " + signers + ", expected of "
                            + quorum(present.size()) + " nodes of epoch " + Integer.toUnsignedString(nodes.epoch()));
        }

        /** The header of a block names the administrative block before it: none is left out. */
        private void requireLink(HeaderBytes header) {
            require(
                    header.sequence() > lastBlock() && header.administrationBlock() == lastBlock(),
                    "block " + header.sequence() + " names block " + header.administrationBlock()
                            + " as the one with administrative batches before it, the proof has block " + lastBlock());
        }

        private long lastBlock() {
            return administrative.isEmpty()
                    ? 0
                    : administrative.get(administrative.size() - 1).sequence();
        }
    }
}
