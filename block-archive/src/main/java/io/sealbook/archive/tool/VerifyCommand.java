package io.sealbook.archive.tool;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.proof.MembershipProof;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.protocol.GenesisFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "verify",
        description = {
            "Reads everything and checks it: checksums, block structure, chain, Merkle roots, batch ids,",
            "certificates, and with the genesis file the signatures of nodes and brokers. Administrative",
            "transactions are executed, and each batch and each certificate is judged by the keys as of its block:",
            "a line names the first block of each epoch of nodes. It changes nothing.",
            "",
            "Only what a quorum of nodes certified is proven. The nodes certify a block once per checkpoint",
            "interval, the last one of each epoch, and one that none has followed for a second, so that a node",
            "that was stopped has fewer blocks than an interval after its last certificate. They are named, and the",
            "exit code is 4. More of them are a fault, and so is a certificate of a block after the archive's end.",
            "",
            "An archive whose end was cut off together with its certificates looks like one of a node that was",
            "stopped. --against compares with the archive of another member, or with what running nodes prove: with",
            "the FILE that 'consensus-node.jar light FILE' brings up to date. It names blocks that are missing here.",
            ""
        },
        footerHeading = "%nExit codes:%n",
        footer = {
            "  0  everything is right, and certified up to the last block",
            "  1  something is wrong: it is named on standard output",
            "  2  wrong use of the command line",
            "  3  the files could not be read, or are no archive",
            "  4  nothing is wrong, and not everything is proven: fewer blocks than a checkpoint interval",
            "     follow the last certificate, no block is here, the other archive is longer, the newest block",
            "     of both was not compared, or no --genesis was given"
        })
final class VerifyCommand implements Callable<Integer> {
    private static final String INTERVAL = "-1";

    @Spec
    private CommandSpec spec;

    @Mixin
    private ArchiveArgument argument;

    @Option(
            names = "--genesis",
            paramLabel = "FILE",
            description = "Genesis file of the chain: keys and checkpoint interval. Without it nothing is proven.")
    private Path genesisFile;

    @Option(
            names = "--allow-uncertified-tail",
            paramLabel = "BLOCKS",
            arity = "0..1",
            fallbackValue = INTERVAL,
            description = {
                "Ask for less: up to this many blocks may follow the last certificate, unproven, and the exit",
                "code is 0. Fewer than a checkpoint interval when no number is given."
            })
    private Long tailMax;

    @Option(
            names = "--from",
            paramLabel = "N",
            defaultValue = "1",
            description = {
                "Block to begin with. Those before it need not be here and are not read, but for those with",
                "administrative batches: the keys of brokers and nodes follow from them. Default: 1."
            })
    private long from;

    @Option(
            names = "--against",
            paramLabel = "DIR|FILE",
            description = {
                "Archive of another member: each block that both have must have the same hash, and certificates",
                "of one block must say the same. The other archive is not verified itself: the newest block that",
                "both have must be whole in it. Or a membership proof, which is verified: the blocks that it names",
                "must be here, the newest certified one among them, and not before --from."
            })
    private Path against;

    @Override
    public Integer call() {
        if (tailMax != null && tailMax < Long.parseLong(INTERVAL)) {
            throw new ParameterException(spec.commandLine(), "--allow-uncertified-tail " + tailMax + " is negative");
        }
        if (tailMax != null && genesisFile == null) {
            throw new ParameterException(spec.commandLine(), "--allow-uncertified-tail needs --genesis");
        }
        boolean isAgainstProof = against != null && !Files.isDirectory(against);
        if (isAgainstProof && genesisFile == null) {
            throw new ParameterException(spec.commandLine(), "--against FILE needs --genesis");
        }
        Optional<MembershipProof> proof =
                isAgainstProof ? Optional.of(MembershipProof.decode(ToolFiles.read(against))) : Optional.empty();
        Optional<GenesisFile> genesis = Optional.ofNullable(genesisFile).map(ToolFiles::genesis);
        try (ArchiveReader archive = argument.open();
                SignatureVerifier verifier = SignatureProviders.best()) {
            ArchiveVerification verification = new ArchiveVerification(
                    archive,
                    argument.durability(),
                    from,
                    spec.commandLine().getOut(),
                    spec.commandLine().getErr());
            genesis.ifPresent(file -> verification.checkSignatures(file, verifier, givenTailMax()));
            proof.ifPresent(known -> verification.compareWith(known, genesis.orElseThrow(), verifier));
            return against == null || isAgainstProof
                    ? exitCode(verification.run(from, tailMax != null))
                    : compare(verification);
        }
    }

    private int compare(ArchiveVerification verification) {
        try (ArchiveReader other = argument.open(against)) {
            verification.compareWith(other);
            return exitCode(verification.run(from, tailMax != null));
        }
    }

    private static int exitCode(ArchiveVerification.Outcome outcome) {
        return switch (outcome) {
            case PROVEN -> ArchiveTool.OK;
            case UNPROVEN -> ArchiveTool.UNPROVEN;
            case WRONG -> ArchiveTool.WRONG;
        };
    }

    private Optional<Long> givenTailMax() {
        return Optional.ofNullable(tailMax).filter(max -> max != Long.parseLong(INTERVAL));
    }
}
