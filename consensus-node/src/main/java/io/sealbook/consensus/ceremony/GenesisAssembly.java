package io.sealbook.consensus.ceremony;

import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.GenesisContribution;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.protocol.v1.Parameters;
import io.sealbook.protocol.v1.SignedContribution;
import io.sealbook.tls.endpoint.HostPort;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Makes a genesis file of contributions. The order of the contributions gives the nodes their numbers. */
public final class GenesisAssembly {
    private GenesisAssembly() {}

    /**
     * Returns the bytes of a genesis file.
     *
     * @param contributions of the members
     * @param instruments of the market
     * @param parameters zeros mean defaults
     * @throws IllegalArgumentException if a contribution is not signed or names a host that no client can open a
     *     channel to, they are of different chains, or the whole breaks a rule of genesis files; the message names the
     *     fact
     */
    public static byte[] genesis(
            List<SignedContribution> contributions, List<Instrument> instruments, Parameters parameters) {
        Genesis.Builder genesis = Genesis.newBuilder().setParameters(parameters);
        for (SignedContribution signed : contributions) {
            add(signed, genesis);
        }
        byte[] json = GenesisFile.toJson(genesis.addAllInstruments(instruments).build())
                .getBytes(StandardCharsets.UTF_8);
        GenesisFile.parse(json);
        return json;
    }

    private static void add(SignedContribution signed, Genesis.Builder genesis) {
        String fault = MemberContribution.fault(signed);
        String name = "contribution of '" + MemberContribution.name(signed) + "'";
        require(fault.isEmpty(), name + ": " + fault);
        GenesisContribution contribution = signed.getContribution();
        int nodeId = genesis.getNodesCount();
        require(
                nodeId == 0 || genesis.getChainId() == contribution.getChainId(),
                name + " is for chain " + Long.toUnsignedString(contribution.getChainId()) + ", those before are for "
                        + Long.toUnsignedString(genesis.getChainId()));
        require(
                genesis.getNodesList().stream()
                        .noneMatch(node ->
                                node.getIdentity().equals(contribution.getNode().getIdentity())),
                name + " has the identity key of another one");
        require(
                HostPort.isHost(contribution.getNode().getHost()),
                name + " names a host that is no " + HostPort.HOST_FORM);
        genesis.setChainId(contribution.getChainId())
                .addNodes(contribution.getNode().toBuilder().setNodeId(nodeId))
                .addAllBrokers(contribution.getBrokersList())
                .addAllAuditors(contribution.getAuditorsList());
    }

    private static void require(boolean condition, String fact) {
        if (!condition) {
            throw new IllegalArgumentException(fact);
        }
    }
}
