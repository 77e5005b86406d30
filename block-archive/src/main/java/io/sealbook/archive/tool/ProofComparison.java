package io.sealbook.archive.tool;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockHeader;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.archive.proof.InclusionProof;
import io.sealbook.archive.proof.MembershipProof;
import java.io.PrintWriter;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Compares what {@code verify} reads with a membership proof that holds: the headers of all blocks with administrative
 * batches, and the newest block of which somebody knows that a quorum certified it. That header fixes all blocks before
 * it, so that an archive that has it, and whose chain is whole, is the chain's up to there.
 */
final class ProofComparison implements Comparison {
    private final NavigableMap<Long, BlockHeader> headers = new TreeMap<>();
    private final PrintWriter out;
    private final Consumer<String> faults;
    private long equal;
    private boolean isTipEqual;

    /**
     * @param proof that was verified
     * @param out receives facts
     * @param faults receives what is wrong
     */
    ProofComparison(MembershipProof proof, PrintWriter out, Consumer<String> faults) {
        proof.transactions().stream()
                .map(InclusionProof::header)
                .forEach(header -> headers.put(header.sequence(), header));
        headers.put(proof.tip().sequence(), proof.tip());
        this.out = out;
        this.faults = faults;
    }

    @Override
    public void onBlock(Block block) {
        BlockHeader proven = headers.get(block.header().sequence());
        if (proven == null) {
            return;
        }
        if (proven.hash().equals(block.hash())) {
            equal++;
            isTipEqual |= proven.sequence() == headers.lastKey();
        } else {
            faults.accept(
                    "block " + proven.sequence() + " has hash " + block.hash().hex() + ", the proven one has "
                            + proven.hash().hex());
        }
    }

    @Override
    public void onCertificate(CheckpointCertificate certificate) {
        // A quorum that signed two histories has signed two blocks.
    }

    @Override
    public boolean printEnd(long last) {
        long tip = headers.lastKey();
        out.println("against " + equal + " equal blocks, the nodes have certified block " + tip);
        if (tip > last) {
            out.println("behind " + (tip - last) + " blocks that the nodes have certified");
        }
        if (tip <= last && !isTipEqual) {
            out.println("not compared: block " + tip + ", the newest certified one");
        }
        return isTipEqual;
    }
}
