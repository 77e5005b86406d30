package io.sealbook.keytool;

import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.PassphraseSettings;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SigningKey;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.keytool.NewKeyFiles.Protection;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code keys rotate}: prepares the exchange of a key, and switches a broker to the new one. */
@Command(
        name = "rotate",
        mixinStandardHelpOptions = true,
        description = {
            "Makes a new key beside that of a broker's or node's directory, encrypted, and prints the proposal with",
            "which a member brings it to the chain, and the next step. The present key stays in use, and no file is",
            "overwritten. Without a passphrase option the new key has the passphrase of the directory's settings.",
            "With --switch, after the proposal is executed: broker.properties names the new key, and the proposal that",
            "revokes the former one is printed. Until that one is executed both keys count. No node is asked whether",
            "the chain has the new key: a member's 'admin show' prints it."
        })
final class RotateKeyCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--switch", description = "Makes broker.properties name the new key.")
    private boolean isSwitch;

    @Option(
            names = "--key-id",
            paramLabel = "NUMBER",
            description = "Id of a broker's new key, which it never used. Default: after the present one and those of"
                    + " the genesis file. A warning names former keys with the same sessions: choose another id if one"
                    + " of them was stolen.")
    private Long keyId;

    @Option(
            names = "--scheme",
            converter = SchemeConverter.class,
            description = "sm2 or secp256k1. Default: that of the present key.")
    private SignatureScheme scheme;

    @Mixin
    private ModuleOptions module = new ModuleOptions();

    @Mixin
    private PassphraseOptions passphrases = new PassphraseOptions();

    @Parameters(paramLabel = "DIR", description = "Directory with broker.properties or node.properties.")
    private Path directory;

    @Override
    public Integer call() throws IOException {
        if (isSwitch && (scheme != null || module.isNamed())) {
            throw new ParameterException(spec.commandLine(), "--switch makes no key: no --scheme or --pkcs11-library");
        }
        Rotation rotation = Rotation.of(directory, keyId);
        PrintWriter out = spec.commandLine().getOut();
        if (!isSwitch) {
            prepare(rotation, out);
        } else if (rotation instanceof BrokerRotation broker) {
            switchKeys(broker, out);
        } else {
            throw new ParameterException(
                    spec.commandLine(), "--switch is for brokers: the keys of a node do not overlap");
        }
        out.flush();
        return KeyTool.OK;
    }

    private void prepare(Rotation rotation, PrintWriter out) throws IOException {
        Path file = rotation.newKey();
        NewKeyFiles.requireAbsent(file);
        VerificationKey present = KeyFile.readSigner(
                        rotation.presentKey(), rotation.passphrase().source())
                .verificationKey();
        VerificationKey fresh =
                module.isNamed() ? inModule(rotation) : inFile(rotation, scheme == null ? present.scheme() : scheme);
        out.println("present key: " + rotation.presentKey());
        NewKeyFiles.finish(
                file,
                fresh,
                module.isNamed() ? Protection.MODULE : Protection.PASSPHRASE,
                rotation instanceof NodeRotation,
                out);
        rotation.warning().ifPresent(fact -> spec.commandLine().getErr().println("warning: " + fact));
        out.println("proposal: " + rotation.proposal());
        out.println("next: " + rotation.nextStep());
    }

    private VerificationKey inFile(Rotation rotation, SignatureScheme chosen) throws IOException {
        SigningKey key = SigningKey.generate(chosen);
        NewKeyFiles.writeEncrypted(rotation.newKey(), key, passphrases.sourceOfNew(rotation.passphrase()));
        return key.verificationKey();
    }

    private VerificationKey inModule(Rotation rotation) throws IOException {
        if (scheme == SignatureScheme.SM2_SM3) {
            throw new ParameterException(spec.commandLine(), "a hardware module has no SM2");
        }
        return module.generate(
                rotation.newKey(),
                passphrases.isNamed()
                        ? passphrases.source()
                        : rotation.passphrase().source());
    }

    /** A new key that does not open would stop the broker. */
    private void switchKeys(BrokerRotation rotation, PrintWriter out) throws IOException {
        PassphraseSettings changed = passphrases.settings();
        VerificationKey key = KeyFile.readSigner(
                        rotation.newKey(),
                        changed.isNamed()
                                ? passphrases.source()
                                : rotation.passphrase().source())
                .verificationKey();
        rotation.switchKeys(key.scheme().name(), changed);
        out.println(rotation.settings().file() + ": key " + Integer.toUnsignedString(rotation.newKeyId()) + " in "
                + rotation.newKey() + ", before " + Integer.toUnsignedString(rotation.keyId()) + " in "
                + rotation.presentKey());
        KeyText.lines(key).forEach(out::println);
        spec.commandLine()
                .getErr()
                .println("warning: no node was asked whether the chain has key "
                        + rotation.name(rotation.newKeyId(), ":")
                        + ": until the proposal that adds it is executed, every batch that it signs is refused");
        out.println("proposal: " + rotation.revocation());
        out.println("next: start the broker's programs again, in a new session; when they trade, a member makes this"
                + " proposal, which ends the former key");
    }
}
