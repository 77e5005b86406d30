package io.sealbook.engine.history;

import io.sealbook.archive.BlockSource;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.archive.result.ResultPlace;
import io.sealbook.archive.result.ResultProof;
import io.sealbook.engine.reports.ReportSearch;
import io.sealbook.matching.chain.ChainTerms;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.OperatingFailureException;
import io.sealbook.vocabulary.result.ResultLink;
import io.sealbook.vocabulary.result.ResultRoot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Proves results of one block: from the certificate before the block to the one after it, over the result trees of all
 * blocks between, computed again from the reports. It compares the digest with the certificate before it returns a
 * proof. One thread.
 */
final class ResultProver {
    /** Largest number of blocks from one certificate to the next: many checkpoint intervals. */
    static final int BLOCKS_MAX = 4_096;

    /** More than a checkpoint interval. */
    private static final int TREES_MAX = 64;

    private final BlockSource blocks;
    private final ReportSearch reports;
    private final List<Integer> brokerIds;
    private final ChainTerms terms;
    /** Of the blocks that were computed last: results of one interval need the same trees. */
    private final Map<Long, BlockResultTree> trees = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, BlockResultTree> eldest) {
            return size() > TREES_MAX;
        }
    };

    /** A proof cannot be made from what is here; the message names the fact. */
    static final class NoProofException extends OperatingFailureException {
        private static final long serialVersionUID = 1;

        NoProofException(String fact) {
            super(fact);
        }
    }

    /**
     * @param blocks have the certificates
     * @param reports of all brokers
     * @param brokerIds of the chain, in the order in which they came
     * @param terms of the chain after the last block whose reports can be read, or later
     */
    ResultProver(BlockSource blocks, ReportSearch reports, List<Integer> brokerIds, ChainTerms terms) {
        this.blocks = blocks;
        this.reports = reports;
        this.brokerIds = brokerIds;
        this.terms = terms;
    }

    /**
     * Returns whether a certificate covers the results of a block.
     *
     * @param sequence of the block
     * @param lastReported last block whose reports can be read
     */
    boolean isCertified(long sequence, long lastReported) {
        return blocks.certificateAtOrAfter(sequence)
                .filter(after -> after.sequence() <= lastReported)
                .isPresent();
    }

    /**
     * Proves a result.
     *
     * @param sequence of its block
     * @param lastReported last block whose reports can be read
     * @param brokerId whose result it is
     * @param reportSequence of the report that it belongs to
     * @throws NoProofException if no certificate covers the block yet, or the result does not exist
     * @throws OperatingFailureException if the reports do not lead to the certified digest: a file is damaged
     */
    ResultProof prove(long sequence, long lastReported, int brokerId, long reportSequence) {
        CheckpointCertificate certificate = blocks.certificateAtOrAfter(sequence)
                .filter(after -> after.sequence() <= lastReported)
                .orElseThrow(() -> new NoProofException("no certificate covers the results of block " + sequence
                        + " yet; a proof exists after the next checkpoint"));
        Optional<CheckpointCertificate> before = certificateBefore(sequence);
        long from = before.map(CheckpointCertificate::sequence).orElse(0L);
        if (certificate.sequence() - from > BLOCKS_MAX) {
            throw new NoProofException("the certificates around block " + sequence + " are of blocks " + from + " and "
                    + certificate.sequence() + ", more than " + BLOCKS_MAX + " blocks apart");
        }
        byte[] digest = before.map(CheckpointCertificate::resultDigest)
                .orElse(Digest.ZERO)
                .bytes();
        ResultLink link = new ResultLink();
        for (long block = from + 1; block < sequence; block++) {
            link.apply(digest, block, results(block).root());
        }
        Digest digestBefore = Digest.of(digest);
        BlockResultTree results = results(sequence);
        link.apply(digest, sequence, results.root());
        List<ResultRoot> laterRoots = new ArrayList<>();
        for (long block = sequence + 1; block <= certificate.sequence(); block++) {
            ResultRoot root = results(block).root();
            laterRoots.add(root);
            link.apply(digest, block, root);
        }
        if (!Digest.of(digest).equals(certificate.resultDigest())) {
            throw new OperatingFailureException("reports of blocks " + (from + 1) + ".." + certificate.sequence()
                    + " do not lead to the result digest that the nodes certified");
        }
        ResultPlace place = results.place(brokerId, reportSequence)
                .orElseThrow(() -> new NoProofException("block " + sequence + " has no such result"));
        return new ResultProof(
                blocks.genesisDigest(),
                sequence,
                place,
                results.cells(place.leafIndex(), reports.run(brokerId, place.firstSequence())),
                results.path(place.leafIndex()),
                digestBefore,
                laterRoots,
                certificate);
    }

    private BlockResultTree results(long block) {
        BlockResultTree known = trees.get(block);
        if (known == null) {
            known = new BlockResultTree(reports.ofBlock(block), brokerIds, terms.boundBy(block));
            trees.put(block, known);
        }
        return known;
    }

    /** Returns a certificate of an earlier block, near to it; empty if there is none. */
    private Optional<CheckpointCertificate> certificateBefore(long sequence) {
        for (long back = 1; back < sequence; back *= 2) {
            Optional<CheckpointCertificate> found = blocks.certificateAtOrAfter(sequence - back)
                    .filter(certificate -> certificate.sequence() < sequence);
            if (found.isPresent()) {
                return found;
            }
        }
        return blocks.certificateAtOrAfter(1).filter(certificate -> certificate.sequence() < sequence);
    }
}
