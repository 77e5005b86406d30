package io.sealbook.consensus.tool;

import io.sealbook.membership.ChangeText;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Genesis;
import java.io.PrintWriter;

/** A genesis file as lines for the people who sign it: everything that it says. */
final class GenesisText {
    private GenesisText() {}

    static void print(GenesisFile file, PrintWriter out) {
        Genesis genesis = file.genesis();
        out.println("chain id: " + Long.toUnsignedString(genesis.getChainId()));
        genesis.getNodesList()
                .forEach(node -> out.println("node " + node.getNodeId() + " \"" + node.getName() + "\", "
                        + node.getHost() + ", ports " + node.getVotePort() + " " + node.getPayloadPort() + " "
                        + node.getGatewayPort() + " " + node.getEnginePort() + ", "
                        + ChangeText.key(node.getIdentity())));
        genesis.getBrokersList().forEach(broker -> out.println(ChangeText.line(broker)));
        genesis.getAuditorsList()
                .forEach(auditor -> out.println("auditor " + Integer.toUnsignedString(auditor.getAuditorId()) + " \""
                        + auditor.getName() + "\", " + ChangeText.key(auditor.getKey())));
        genesis.getInstrumentsList().forEach(instrument -> out.println(ChangeText.line(instrument)));
        genesis.getParameters()
                .getAllFields()
                .forEach((field, value) -> out.println("parameter " + field.getJsonName() + " " + value));
        out.println("genesis digest: " + file.digest().hex());
        out.flush();
    }
}
