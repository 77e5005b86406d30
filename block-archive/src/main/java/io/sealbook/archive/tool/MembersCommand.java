package io.sealbook.archive.tool;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.administration.MembershipHistory;
import io.sealbook.archive.proof.MembershipProver;
import io.sealbook.protocol.GenesisFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "members",
        description = {
            "Prints the consortium as of a block: nodes, brokers with their keys, instruments, auditors, and each",
            "administrative transaction before the block, with its block, its number and who approved it.",
            "It reads the blocks of transactions alone, and checks the approvals; 'verify' checks the chain."
        })
final class MembersCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ArchiveArgument argument;

    @Option(names = "--genesis", paramLabel = "FILE", required = true, description = "Genesis file of the chain.")
    private Path genesisFile;

    @Option(
            names = "--block",
            paramLabel = "N",
            description = "The consortium in effect for this block; for the one after the last if not given.")
    private Long block;

    @Option(names = "--json", description = "One JSON object.")
    private boolean isJson;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = {
                "Write a membership proof, as of the newest certificate, to a file, which must not exist: all",
                "administrative batches with the certificates of their blocks. 'verify-proof --membership' judges",
                "proofs of all epochs with it, and needs no archive."
            })
    private Path file;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        if (file != null && block != null) {
            throw new ParameterException(
                    spec.commandLine(), "--out: a membership proof is as of the newest certificate, not of --block");
        }
        GenesisFile genesis = ToolFiles.genesis(genesisFile);
        try (ArchiveReader archive = argument.open()) {
            if (!genesis.digest().equals(archive.genesisDigest())) {
                out.println("fault genesis file has digest " + genesis.digest().hex() + ", the archive's is "
                        + archive.genesisDigest().hex());
                return ArchiveTool.WRONG;
            }
            MembershipHistory history = new MembershipHistory(archive, genesis.genesis());
            MembershipHistory.AsOf asOf = block == null ? history.atEnd() : history.asOf(block);
            if (file != null) {
                ToolFiles.write(file, new MembershipProver(archive).prove().encode());
            }
            MembersText text = new MembersText(asOf);
            if (isJson) {
                out.println(text.json());
            } else {
                text.lines().forEach(out::println);
            }
        }
        return ArchiveTool.OK;
    }
}
