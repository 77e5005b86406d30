package io.sealbook.consensus.doctor;

import io.sealbook.commandline.FailureText;
import io.sealbook.consensus.ceremony.CeremonyCheck;
import io.sealbook.consensus.ceremony.CeremonyFile;
import io.sealbook.crypto.KeyPassphraseException;
import io.sealbook.crypto.PublicKeyPem;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.keytool.Finding;
import io.sealbook.keytool.KeyCheck;
import io.sealbook.keytool.KeyOwners;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The identity key, the records of its votes, the mode of the other keys, and the signatures of the genesis file. */
final class FileChecks {
    private FileChecks() {}

    /**
     * Checks them.
     *
     * @param node whose files they are
     * @param keyFailure why the key did not open before, so that it is not opened again; empty if it did, or was not
     *     tried
     */
    static List<Finding> run(CheckedNode node, Optional<KeyPassphraseException> keyFailure) {
        List<Finding> findings = new ArrayList<>();
        if (keyFailure.isPresent()) {
            findings.add(closed(keyFailure.get()));
        } else {
            key(node, findings);
        }
        findings.addAll(mode("engine.key mode", node.files().engineKeyFile()));
        findings.addAll(mode("auditor.key mode", node.files().auditorKeyFile()));
        signatures(node, findings);
        return findings;
    }

    /**
     * Returns what is wrong with the mode of a key file.
     *
     * @param check name of the check
     * @param file need not exist
     */
    static List<Finding> mode(String check, Path file) {
        if (!Files.exists(file)) {
            return List.of();
        }
        return KeyCheck.mode(file).stream()
                .filter(finding -> finding.level() != Finding.Level.OK)
                .map(finding -> new Finding(finding.level(), check, finding.fact(), finding.remedy()))
                .toList();
    }

    private static void key(CheckedNode node, List<Finding> findings) {
        Path file = node.files().keyFile();
        KeyCheck check;
        try {
            check = KeyCheck.of(
                    file, node.config().passphrase().in(node.files().root()).source());
        } catch (KeyPassphraseException e) {
            findings.add(closed(e));
            return;
        }
        check.findings().stream()
                .filter(finding -> finding.level() != Finding.Level.OK)
                .map(finding ->
                        new Finding(finding.level(), "key " + finding.check(), finding.fact(), finding.remedy()))
                .forEach(findings::add);
        check.publicKey().ifPresent(key -> {
            findings.add(owner(node, key));
            findings.add(VoteRecordChecks.run(node.files(), key));
        });
    }

    private static Finding closed(KeyPassphraseException failure) {
        return Finding.fail("key", failure.getMessage(), "correct the passphrase's file or variable");
    }

    private static Finding owner(CheckedNode node, VerificationKey key) {
        String self = "node " + node.config().nodeId() + " (" + node.self().getName() + ")";
        List<String> owners = KeyOwners.of(key, node.present());
        if (owners.contains(self)) {
            return Finding.ok("key", "it is that of " + self + ", fingerprint " + PublicKeyPem.fingerprint(key));
        }
        return Finding.fail(
                "key",
                "the chain has another key for " + self + "; this one is "
                        + (owners.isEmpty() ? "nobody's" : "that of " + String.join(", ", owners)),
                "restore node.key, or correct node-id");
    }

    private static void signatures(CheckedNode node, List<Finding> findings) {
        Path file = node.files().genesisSignaturesFile();
        boolean isRequired = node.config().isGenesisSigned();
        if (!Files.exists(file)) {
            if (isRequired) {
                findings.add(Finding.fail(
                        "genesis signatures",
                        "require-genesis-signatures=true, and there is no " + file,
                        "copy the file of another member"));
            }
            return;
        }
        try {
            CeremonyCheck check =
                    CeremonyCheck.of(Files.readAllBytes(node.files().genesisFile()), CeremonyFile.readSignatures(file));
            if (check.isComplete()) {
                findings.add(Finding.ok("genesis signatures", "signed by nodes " + check.signers()));
                return;
            }
            check.faults().stream()
                    .map(finding -> new Finding(
                            isRequired ? Finding.Level.FAIL : finding.level(),
                            "genesis signatures",
                            finding.fact(),
                            finding.remedy()))
                    .forEach(findings::add);
        } catch (IOException | IllegalArgumentException e) {
            findings.add(Finding.fail("genesis signatures", FailureText.of(e), "copy the file of another member"));
        }
    }
}
