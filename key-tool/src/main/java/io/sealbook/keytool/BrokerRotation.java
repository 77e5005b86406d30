package io.sealbook.keytool;

import io.sealbook.crypto.PassphraseSettings;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.KeySessions;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Parameters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The rotation of a broker's key: one transaction adds the new key, another one revokes the present key when the
 * broker's programs use the new one. In between both count.
 *
 * @param settings of the broker's directory
 * @param directory of the broker
 * @param brokerId as in the genesis file
 * @param keyId of the present key
 * @param newKeyId an id that the broker never used
 * @param passphrase of the present key
 * @param warning that former keys have the sessions of the new one; empty if none has
 */
record BrokerRotation(
        SettingsFile settings,
        Path directory,
        int brokerId,
        int keyId,
        int newKeyId,
        PassphraseSettings passphrase,
        Optional<String> warning)
        implements Rotation {
    static final String SETTINGS = "broker.properties";

    private static final String KEY = "broker.key";
    /** The chain takes no higher one. */
    private static final long ID_MAX = 0xFFFF;
    /** Keys that a warning names. */
    private static final int NAMED_MAX = 8;

    /**
     * Reads the settings.
     *
     * @param directory of the broker
     * @param newKeyId null: the one after the present one and those of the genesis file
     */
    static BrokerRotation read(Path directory, Long newKeyId) throws IOException {
        SettingsFile settings = SettingsFile.read(directory.resolve(SETTINGS));
        int brokerId = settings.unsigned("brokerId");
        int keyId = settings.unsigned("keyId");
        Path genesis = directory
                .resolve(settings.value("genesis").orElse("../genesis.json"))
                .normalize();
        Genesis chain = GenesisFile.parse(Files.readAllBytes(genesis)).genesis();
        long[] used = LongStream.concat(LongStream.of(Integer.toUnsignedLong(keyId)), keysOf(brokerId, chain))
                .toArray();
        long last = LongStream.of(used).max().getAsLong();
        long chosen = newKeyId == null ? last + 1 : newKeyId;
        if (chosen < 1 || chosen > ID_MAX || LongStream.of(used).anyMatch(each -> each == chosen)) {
            throw new IOException(
                    "key id " + chosen + " is used, or not in 1.." + ID_MAX + ": choose one with --key-id");
        }
        return new BrokerRotation(
                settings,
                directory,
                brokerId,
                keyId,
                (int) chosen,
                settings.passphrase().in(directory),
                sharing(chain.getParameters(), chosen, last));
    }

    /** Which ids below the last one were used, and which of the keys were stolen, is not in the directory. */
    private static Optional<String> sharing(Parameters parameters, long chosen, long last) {
        KeySessions sessions = KeySessions.of(parameters, (int) chosen);
        List<String> former = LongStream.rangeClosed(1, last)
                .filter(id ->
                        id != chosen && KeySessions.of(parameters, (int) id).equals(sessions))
                .mapToObj(Long::toString)
                .toList();
        if (former.isEmpty() || sessions.count() == parameters.getSessionsPerBroker()) {
            return Optional.empty(); // In the second case no id has sessions of its own.
        }
        String named = former.stream().limit(NAMED_MAX).collect(Collectors.joining(", "));
        return Optional.of("key " + chosen + " signs in " + sessions + ", as former keys may (" + named
                + (former.size() > NAMED_MAX ? " and others" : "") + "): the thief of such a key can suspend these"
                + " sessions, also after it was revoked. If one was stolen, choose an id with other sessions:"
                + " --key-id");
    }

    private static LongStream keysOf(int brokerId, Genesis chain) {
        return chain.getBrokersList().stream()
                .filter(broker -> broker.getBrokerId() == brokerId)
                .map(Broker::getKeysList)
                .flatMapToLong(
                        keys -> keys.stream().mapToInt(BrokerKey::getKeyId).mapToLong(Integer::toUnsignedLong));
    }

    @Override
    public Path presentKey() {
        return directory.resolve(settings.value("key").orElse(KEY)).normalize();
    }

    @Override
    public Path newKey() {
        return directory.resolve(KEY + "." + Integer.toUnsignedString(newKeyId));
    }

    @Override
    public String proposal() {
        return "admin propose --node-dir NODE_DIR --add-key " + name(newKeyId, ":") + ":"
                + NewKeyFiles.publicFile(newKey()) + REASON + " --out add-key-" + name(newKeyId, "-") + ".json";
    }

    @Override
    public String nextStep() {
        return "give " + NewKeyFiles.publicFile(newKey()) + " and its fingerprint to a member, who makes this proposal;"
                + " when it is executed, 'keys rotate " + directory + " --switch --key-id "
                + Integer.toUnsignedString(newKeyId) + "'";
    }

    /** Returns the command with which a member proposes the end of the present key. */
    String revocation() {
        return "admin propose --node-dir NODE_DIR --revoke-key " + name(keyId, ":") + REASON + " --out revoke-key-"
                + name(keyId, "-") + ".json";
    }

    /** Returns the name of a key in proposals: the broker, a separator, the key. */
    String name(int key, String separator) {
        return Integer.toUnsignedString(brokerId) + separator + Integer.toUnsignedString(key);
    }

    /**
     * Makes the settings name the new key.
     *
     * @param scheme of the new key
     * @param changed where its passphrase is; settings without a file or variable leave it where it was
     * @throws IOException if the file could not be written; it names the present key or the new one then
     */
    void switchKeys(String scheme, PassphraseSettings changed) throws IOException {
        Map<String, String> values = new HashMap<>();
        values.put("keyId", Integer.toUnsignedString(newKeyId));
        values.put("key", newKey().getFileName().toString());
        if (settings.value("scheme").isPresent()) {
            values.put("scheme", scheme);
        }
        if (changed.isNamed()) {
            values.put(
                    PassphraseSettings.FILE_KEY,
                    changed.file().map(Path::toString).orElse(null));
            values.put(PassphraseSettings.VARIABLE_KEY, changed.variable().orElse(null));
        }
        settings.replace(values);
    }
}
