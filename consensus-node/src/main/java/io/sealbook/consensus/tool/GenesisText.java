package io.sealbook.consensus.tool;

import io.sealbook.membership.ChangeText;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Genesis;
import java.io.PrintWriter;

/**
 * A genesis file as lines for the people who sign it: everything that it says, one line each. Text of members has no
 * control characters here.
 */
final class GenesisText {
    private GenesisText() {}

    static void print(GenesisFile file, PrintWriter out) {
        Genesis genesis = file.genesis();
        out.println("chain id: " + Long.toUnsignedString(genesis.getChainId()));
        genesis.getNodesList().forEach(node -> out.println(ChangeText.line(node)));
        genesis.getBrokersList().forEach(broker -> out.println(ChangeText.line(broker)));
        genesis.getAuditorsList().forEach(auditor -> out.println(ChangeText.line(auditor)));
        genesis.getInstrumentsList().forEach(instrument -> out.println(ChangeText.line(instrument)));
        genesis.getParameters()
                .getAllFields()
                .forEach((field, value) -> out.println("parameter " + field.getJsonName() + " " + value));
        out.println("genesis digest: " + file.digest().hex());
        out.flush();
    }
}
