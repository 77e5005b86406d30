package io.sealbook.consensus.ceremony;

import io.sealbook.consensus.config.ConfigException;
import io.sealbook.consensus.config.Member;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.keytool.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at the members' signatures of the genesis file when a node starts. */
public final class SignedStart {
    private static final Logger log = LoggerFactory.getLogger(SignedStart.class);

    private SignedStart() {}

    /**
     * Logs who signed the genesis file. With {@code require-genesis-signatures=true} it refuses one that not all
     * members signed, or that differs from their contributions.
     *
     * @param directory of the node
     * @param member of that directory
     * @throws ConfigException if signatures are required and one is missing or wrong; the message names it
     * @throws IOException if a file cannot be read
     */
    public static void check(NodeDirectory directory, Member member) throws IOException {
        Path file = directory.genesisSignaturesFile();
        boolean isRequired = member.config().isGenesisSigned();
        if (!Files.exists(file)) {
            if (isRequired) {
                throw new ConfigException("require-genesis-signatures=true, and there is no " + file);
            }
            return;
        }
        CeremonyCheck check;
        try {
            check = CeremonyCheck.of(Files.readAllBytes(directory.genesisFile()), CeremonyFile.readSignatures(file));
        } catch (IllegalArgumentException e) {
            if (isRequired) {
                throw new ConfigException("require-genesis-signatures=true: " + e.getMessage(), e);
            }
            log.warn("genesis signatures are not used: {}", e.getMessage());
            return;
        }
        log.info(
                "genesis {} signed by nodes {} of {}",
                member.genesis().digest().hex(),
                check.signers(),
                member.nodeCount());
        for (Finding fault : check.faults()) {
            if (isRequired) {
                throw new ConfigException("require-genesis-signatures=true, and genesis " + fault.check() + ": "
                        + fault.fact() + "; " + fault.remedy());
            }
            log.warn("genesis {}: {}", fault.check(), fault.fact());
        }
    }
}
