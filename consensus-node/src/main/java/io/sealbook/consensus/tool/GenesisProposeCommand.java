package io.sealbook.consensus.tool;

import io.sealbook.consensus.administration.PublicKeyFile;
import io.sealbook.consensus.ceremony.CeremonyFile;
import io.sealbook.consensus.ceremony.MemberContribution;
import io.sealbook.consensus.testnet.AccountSpec;
import io.sealbook.crypto.KeyFile;
import io.sealbook.keytool.PassphraseOptions;
import io.sealbook.membership.ChangeText;
import io.sealbook.protocol.v1.Auditor;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.GenesisContribution;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.SignedContribution;
import io.sealbook.tls.endpoint.HostPort;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code genesis propose}: writes a member's contribution to a genesis file, signed. */
@Command(
        name = "propose",
        mixinStandardHelpOptions = true,
        description = {
            "Writes this member's contribution: its node with identity key and endpoints, its brokers and",
            "auditors, signed with the identity key. The file goes to the member who collects."
        })
public final class GenesisProposeCommand implements Callable<Integer> {
    private static final int FIRST_KEY_ID = 1;
    private static final int PORT_MAX = 65_535;
    private static final String BROKER_FORM = "ID:NAME:FILE:ACCOUNTS[:QUOTA[:ORDERS:BYTES]]";

    @Spec
    private CommandSpec spec;

    @Option(names = "--chain-id", required = true, description = "Number of the chain that the members agreed on.")
    private String chainId;

    @Option(names = "--name", required = true, description = "Name of the member.")
    private String name;

    @Option(names = "--host", required = true, description = "Name under which others reach its node.")
    private String host;

    @Option(
            names = "--base-port",
            defaultValue = "7100",
            description = "Ports of votes, payloads, gateway and engine are this and the next three."
                    + " Default: ${DEFAULT-VALUE}.")
    private int basePort;

    @Option(names = "--key", required = true, paramLabel = "FILE", description = "Identity key of the node: node.key.")
    private Path key;

    @Mixin
    private PassphraseOptions passphrases = new PassphraseOptions();

    @Option(
            names = "--broker",
            paramLabel = BROKER_FORM,
            description = "A broker with the file of its public key, its accounts FIRST[-LAST][,...], how many live"
                    + " orders it may have, and how many new orders and bytes it may send per second, 0 without a"
                    + " limit; repeatable.")
    private List<String> brokers = List.of();

    @Option(
            names = "--auditor",
            paramLabel = "ID:NAME:FILE",
            description = "An auditor with the file of its public key; repeatable.")
    private List<String> auditors = List.of();

    @Option(names = "--out", required = true, paramLabel = "FILE", description = "New file of the contribution.")
    private Path out;

    @Override
    public Integer call() throws IOException {
        GenesisContribution.Builder contribution = GenesisContribution.newBuilder();
        try {
            contribution.setChainId(chainId()).setNode(node());
            for (String text : brokers) {
                contribution.addBrokers(broker(text));
            }
            for (String text : auditors) {
                contribution.addAuditors(auditor(text));
            }
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        SignedContribution signed =
                MemberContribution.sign(contribution.build(), KeyFile.readSigner(key, passphrases.source()));
        CeremonyFile.create(out, signed);
        PrintWriter lines = spec.commandLine().getOut();
        lines.println("contribution of \"" + name + "\" for chain " + chainId + ": " + out);
        lines.println("identity key: "
                + ChangeText.key(signed.getContribution().getNode().getIdentity())
                + "; tell the other members its fingerprint over another way than this file");
        return 0;
    }

    private long chainId() {
        try {
            long id = Long.parseUnsignedLong(chainId);
            if (id != 0) {
                return id;
            }
        } catch (NumberFormatException e) {
            // The refusal is the same.
        }
        throw new IllegalArgumentException("--chain-id " + chainId + ": expected a number from 1 on");
    }

    private Node node() {
        if (basePort < 1 || basePort + 3 > PORT_MAX) {
            throw new IllegalArgumentException("--base-port " + basePort + ": expected 1.." + (PORT_MAX - 3));
        }
        if (!HostPort.isHost(host)) {
            throw new IllegalArgumentException("--host " + host + ": expected a " + HostPort.HOST_FORM);
        }
        return Node.newBuilder()
                .setName(name)
                .setHost(host)
                .setVotePort(basePort)
                .setPayloadPort(basePort + 1)
                .setGatewayPort(basePort + 2)
                .setEnginePort(basePort + 3)
                .build();
    }

    private static Broker broker(String text) throws IOException {
        String[] parts = text.split(":", -1);
        if (parts.length < 4 || parts.length == 6 || parts.length > 7) {
            throw new IllegalArgumentException("--broker " + text + ": expected " + BROKER_FORM);
        }
        Broker.Builder broker = Broker.newBuilder()
                .setBrokerId(id(text, parts[0]))
                .setName(parts[1])
                .addKeys(BrokerKey.newBuilder().setKeyId(FIRST_KEY_ID).setKey(PublicKeyFile.read(Path.of(parts[2]))));
        for (String range : parts[3].split(",", -1)) {
            broker.addAccounts(AccountSpec.parse(parts[0] + ":" + range).range());
        }
        if (parts.length >= 5) {
            broker.setLiveOrderCountMax(id(text, parts[4]));
        }
        if (parts.length == 7) {
            broker.setOrdersPerSecondMax(id(text, parts[5])).setBytesPerSecondMax(id(text, parts[6]));
        }
        return broker.build();
    }

    private static Auditor auditor(String text) throws IOException {
        String[] parts = text.split(":", -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException("--auditor " + text + ": expected ID:NAME:FILE");
        }
        return Auditor.newBuilder()
                .setAuditorId(id(text, parts[0]))
                .setName(parts[1])
                .setKey(PublicKeyFile.read(Path.of(parts[2])))
                .build();
    }

    private static int id(String text, String number) {
        try {
            return Integer.parseUnsignedInt(number);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(text + ": '" + number + "' is no number", e);
        }
    }
}
