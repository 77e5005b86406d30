package io.sealbook.consensus.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.keytool.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HiddenMountsTest {
    @TempDir
    Path root;

    @Test
    void shouldWarnAndCheckEachDirectoryWhereTheSystemDoesNotTellDisksApart() throws IOException {
        NodeDirectory node = new NodeDirectory(root);
        Files.createDirectories(node.archive());

        List<Finding> findings = DiskChecks.run(node, directory -> {
            throw new IOException("Mount point not found");
        });

        assertThat(findings)
                .filteredOn(each -> each.check().equals("disk"))
                .extracting(Finding::fact)
                .containsExactly(root + ": Mount point not found", node.archive() + ": Mount point not found");
        assertThat(findings)
                .filteredOn(each -> each.check().equals("disk sync"))
                .hasSize(2);
    }
}
