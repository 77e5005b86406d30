package io.sealbook.archive.tool;

import io.sealbook.archive.IndexRebuild;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "rebuild-index",
        description = "Writes the index of every closed segment anew from its blocks. The node must be stopped.")
final class RebuildIndexCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "Directory of the archive, such as node0/archive.")
    private Path directory;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        IndexRebuild.Result result = IndexRebuild.run(directory);
        out.println("segments " + result.segments());
        out.println("blocks " + result.blocks());
        result.damagedBlocks().forEach(sequence -> out.println("fault block " + sequence + " is damaged"));
        return result.damagedBlocks().isEmpty() ? ArchiveTool.OK : ArchiveTool.WRONG;
    }
}
