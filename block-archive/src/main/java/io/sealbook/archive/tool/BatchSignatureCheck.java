package io.sealbook.archive.tool;

import io.sealbook.archive.ArchiveException;
import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.administration.AdministrativeEntry;
import io.sealbook.archive.administration.ChangeText;
import io.sealbook.archive.administration.MembershipHistory;
import io.sealbook.archive.administration.MembershipPass;
import io.sealbook.archive.administration.MembershipUnknownException;
import io.sealbook.archive.proof.BrokerSignatures;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.membership.Membership;
import io.sealbook.protocol.v1.Genesis;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

/**
 * The signatures of batches along a run over an archive, each judged by the membership as of its block. It executes the
 * administrative transactions and prints what became of them. After a block that cannot be read and that holds some,
 * the membership is not known, and no signature is judged.
 */
final class BatchSignatureCheck {
    private final PrintWriter out;
    private final BrokerSignatures signatures;
    private MembershipPass pass;
    /** The last administrative block whose transactions were executed. */
    private long administrationBlock;

    private String whyUnknown = "";

    /**
     * Begins with the membership as of a block.
     *
     * @param archive stays the caller's
     * @param first block that is checked
     * @param genesis of the chain
     * @param verifier stays the caller's
     * @param out receives a line for each transaction
     * @throws io.sealbook.archive.ChainViolationException if a link leads to a block without transactions
     */
    BatchSignatureCheck(
            ArchiveReader archive, long first, Genesis genesis, SignatureVerifier verifier, PrintWriter out) {
        this.out = out;
        this.signatures = new BrokerSignatures(verifier);
        this.pass = new MembershipPass(Membership.of(genesis));
        if (first > 1 && first <= archive.lastSequence()) {
            begin(archive, first, genesis);
        }
    }

    private void begin(ArchiveReader archive, long first, Genesis genesis) {
        try {
            MembershipHistory.AsOf start = new MembershipHistory(archive, genesis).asOf(first);
            start.entries().forEach(this::print);
            pass = new MembershipPass(start.membership());
            administrationBlock =
                    start.entries().isEmpty() ? 0 : start.entries().getLast().block();
        } catch (MembershipUnknownException | ArchiveException e) {
            becomeUnknown(first, e.getMessage());
        }
    }

    private void print(AdministrativeEntry entry) {
        out.println(ChangeText.line(entry));
    }

    /**
     * Judges the next block and executes its transactions.
     *
     * @return one fact for each batch that is not signed as it must be
     */
    List<String> faults(Block block) {
        long named = block.header().administrationBlock();
        if (whyUnknown.isEmpty() && named > administrationBlock) {
            becomeUnknown(
                    block.header().sequence(),
                    "block " + named + ", which holds administrative batches, could not be read");
        }
        if (!whyUnknown.isEmpty()) {
            return List.of();
        }
        List<String> faults = signatures.faults(block, pass.membership());
        pass.onBlock(block).forEach(this::print);
        administrationBlock = block.lastAdministrationBlock();
        return faults;
    }

    private void becomeUnknown(long block, String why) {
        whyUnknown = "signatures of batches not checked from block " + block + " on: " + why;
    }

    /** Returns the membership after the last block; empty if it is not known. */
    Optional<Membership> membership() {
        return whyUnknown.isEmpty() ? Optional.of(pass.membership()) : Optional.empty();
    }

    /** Returns from which block on no signature was judged, and why; empty if all were. */
    String whyUnknown() {
        return whyUnknown;
    }
}
