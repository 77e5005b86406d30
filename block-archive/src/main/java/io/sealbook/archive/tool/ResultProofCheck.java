package io.sealbook.archive.tool;

import io.sealbook.archive.result.ResultProof;
import io.sealbook.archive.result.ResultProofVerifier;
import io.sealbook.archive.result.ResultVerdict;
import io.sealbook.archive.result.ResultVerdict.ResultProven;
import io.sealbook.archive.result.ResultVerdict.ResultRefused;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.protocol.GenesisFile;
import java.io.PrintWriter;

/** Judges the file of a result proof and prints the verdict with the report or the trade. */
final class ResultProofCheck {
    private final PrintWriter out;

    ResultProofCheck(PrintWriter out) {
        this.out = out;
    }

    /** Returns the exit code. */
    int judge(byte[] file, GenesisFile genesis, SignatureVerifier signatures) {
        ResultProof proof;
        try {
            proof = ResultProof.decode(file);
        } catch (IllegalArgumentException e) {
            out.println("verdict refused");
            out.println("fact " + e.getMessage());
            return ArchiveTool.WRONG;
        }
        ResultVerdict verdict = new ResultProofVerifier(genesis, signatures).verify(proof);
        return switch (verdict) {
            case ResultProven proven -> {
                out.println("verdict proven");
                ResultText.print(out, proof.place().kind(), proven.message());
                out.println("certifiedSequence " + proven.certifiedSequence());
                out.println("signers " + proven.signers());
                out.println("quorum " + proven.quorum());
                yield ArchiveTool.OK;
            }
            case ResultRefused refused -> {
                out.println("verdict refused");
                out.println("fault " + refused.fault());
                out.println("fact " + refused.fact());
                yield ArchiveTool.WRONG;
            }
        };
    }
}
