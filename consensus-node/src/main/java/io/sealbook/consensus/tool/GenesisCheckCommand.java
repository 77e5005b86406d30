package io.sealbook.consensus.tool;

import io.sealbook.consensus.ceremony.CeremonyCheck;
import io.sealbook.consensus.ceremony.CeremonyFile;
import io.sealbook.consensus.ceremony.GenesisSigning;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.protocol.v1.GenesisSignatures;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code genesis check}: says whether a genesis file is what its members contributed and signed. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description = {
            "Prints a genesis file, then one line per contribution and signature in genesis-signatures.json beside it:",
            "whether each contribution stands unaltered in the file, and who has signed."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:every contribution stands unaltered, and all members have signed",
            "1:something is wrong; a line begins with FAIL",
            "2:wrong use",
            "3:nothing is wrong, and signatures are missing"
        })
public final class GenesisCheckCommand implements Callable<Integer> {
    private static final int WRONG = 1;
    private static final int INCOMPLETE = 3;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--add",
            paramLabel = "FILE",
            description = "Adds the signatures of another copy of genesis-signatures.json; repeatable.")
    private List<Path> added = List.of();

    @Parameters(paramLabel = "GENESIS", description = "The genesis file.")
    private Path file;

    @Override
    public Integer call() throws IOException {
        Path signaturesFile = file.resolveSibling(NodeDirectory.GENESIS_SIGNATURES);
        CeremonyCheck check;
        try {
            GenesisSignatures signatures = CeremonyFile.readSignatures(signaturesFile);
            for (Path copy : added) {
                signatures = GenesisSigning.merge(signatures, CeremonyFile.readSignatures(copy));
            }
            check = CeremonyCheck.of(Files.readAllBytes(file), signatures);
            if (!added.isEmpty() && check.isConsistent()) {
                CeremonyFile.replace(signaturesFile, signatures);
            }
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        PrintWriter out = spec.commandLine().getOut();
        GenesisText.print(check.file(), out);
        check.findings().forEach(finding -> out.println(finding.line()));
        out.flush();
        return check.isComplete() ? 0 : check.isConsistent() ? INCOMPLETE : WRONG;
    }
}
