package io.sealbook.consensus.tool;

import io.sealbook.consensus.ceremony.CeremonyFile;
import io.sealbook.consensus.ceremony.GenesisAssembly;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.testnet.InstrumentSpec;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.KeySessions;
import io.sealbook.protocol.ProtocolVersion;
import io.sealbook.protocol.v1.GenesisSignatures;
import io.sealbook.protocol.v1.Parameters;
import io.sealbook.protocol.v1.SignedContribution;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code genesis collect}: makes the genesis file of the members' contributions. */
@Command(
        name = "collect",
        mixinStandardHelpOptions = true,
        description = {
            "Makes the genesis file of the members' contributions, with instruments and parameters. The order of the",
            "files gives the nodes their numbers, from 0. Writes genesis-signatures.json beside it, without signatures."
        })
public final class GenesisCollectCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--instrument",
            required = true,
            description = "An instrument id:symbol:decimals:priceMin:priceMax:quantityMax[:keep]; repeatable.")
    private List<String> instruments;

    @Option(
            names = "--parameters",
            paramLabel = "FILE",
            description = "JSON with parameters of the genesis file that are not the defaults, such as"
                    + " {\"blockMaxWaitMs\": 200}.")
    private Path parameters;

    @Option(names = "--out", required = true, paramLabel = "FILE", description = "New genesis file.")
    private Path out;

    @CommandLine.Parameters(arity = "4..*", paramLabel = "CONTRIBUTION", description = "Files of the members.")
    private List<Path> contributions;

    @Override
    public Integer call() throws IOException {
        Path signaturesFile = out.resolveSibling(NodeDirectory.GENESIS_SIGNATURES);
        for (Path file : List.of(out, signaturesFile)) {
            if (Files.exists(file)) {
                throw new ParameterException(
                        spec.commandLine(), file + " exists, and is not overwritten: members may have signed it");
            }
        }
        byte[] genesis;
        List<SignedContribution> collected = new ArrayList<>();
        try {
            for (Path file : contributions) {
                collected.add(CeremonyFile.readContribution(file));
            }
            genesis = GenesisAssembly.genesis(
                    collected, instruments.stream().map(InstrumentSpec::parse).toList(), parameters());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        GenesisFile file = GenesisFile.parse(genesis);
        Files.write(out, genesis, StandardOpenOption.CREATE_NEW);
        CeremonyFile.create(
                signaturesFile,
                GenesisSignatures.newBuilder()
                        .setGenesisDigest(file.digest().hex())
                        .addAllContributions(collected)
                        .build());
        GenesisText.print(file, spec.commandLine().getOut());
        return 0;
    }

    private Parameters parameters() throws IOException {
        Parameters newest = Parameters.newBuilder()
                .setProtocolVersion(ProtocolVersion.NEWEST)
                .setSessionsPerBroker(GenesisFile.NEW_SESSIONS_PER_BROKER)
                .build();
        Parameters chosen = parameters == null
                ? newest
                : (Parameters) CeremonyFile.read(parameters, newest.toBuilder(), "list of parameters");
        return chosen.getSessionsPerKey() == 0 && chosen.getSessionsPerBroker() > 0
                ? chosen.toBuilder()
                        .setSessionsPerKey(KeySessions.perKey(chosen.getSessionsPerBroker()))
                        .build()
                : chosen;
    }
}
