package io.sealbook.archive.tool;

import io.sealbook.archive.position.PositionProof;
import io.sealbook.archive.position.PositionVerdict.AccountPosition;
import io.sealbook.archive.position.PositionVerdict.PositionsProven;
import io.sealbook.archive.position.PositionVerdict.PositionsRefused;
import io.sealbook.archive.position.PositionVerifier;
import io.sealbook.protocol.report.Position;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/** Judges the file of a position proof and prints the verdict with the positions. */
final class PositionProofCheck {
    private final PrintWriter out;

    PositionProofCheck(PrintWriter out) {
        this.out = out;
    }

    /** Returns the exit code. */
    int judge(byte[] file, PositionVerifier verifier) {
        PositionProof proof;
        try {
            proof = PositionProof.decode(file);
        } catch (IllegalArgumentException e) {
            return refused(e.getMessage());
        }
        return switch (verifier.verify(proof)) {
            case PositionsProven proven -> {
                out.println("verdict proven");
                out.println("broker " + Integer.toUnsignedString(proof.brokerId()));
                out.println("reports 1.." + proof.reportSequence());
                out.println("block " + proven.block());
                out.println("through " + through(proven));
                proven.positions().forEach(position -> out.println(line(position)));
                yield ArchiveTool.OK;
            }
            case PositionsRefused refused -> refused(refused.fact());
        };
    }

    private int refused(String fact) {
        out.println("verdict refused");
        out.println("fact " + fact);
        return ArchiveTool.WRONG;
    }

    /** Returns the last block at whose end the positions are proven. */
    private static String through(PositionsProven proven) {
        OptionalLong next = proven.nextBlock();
        if (next.isEmpty()) {
            return "unknown: the proof has no later report of the broker";
        }
        return next.getAsLong() == proven.block()
                ? "within the block: it has further reports of the broker"
                : Long.toString(next.getAsLong() - 1);
    }

    private static String line(AccountPosition of) {
        Position position = of.position();
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("account", Integer.toUnsignedString(of.accountId()));
        facts.put("instrument", Integer.toUnsignedString(of.instrumentId()));
        facts.put("net", Long.toString(position.netQuantity()));
        facts.put("bought", Long.toString(position.boughtQuantity()));
        facts.put("boughtValue", Long.toString(position.boughtValue()));
        facts.put("sold", Long.toString(position.soldQuantity()));
        facts.put("soldValue", Long.toString(position.soldValue()));
        return OrderText.line("position", facts);
    }
}
