package io.sealbook.consensus.tool;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.sealbook.consensus.administration.PublicKeyFile;
import io.sealbook.consensus.testnet.AccountSpec;
import io.sealbook.consensus.testnet.InstrumentSpec;
import io.sealbook.protocol.v1.AccountRange;
import io.sealbook.protocol.v1.AddKey;
import io.sealbook.protocol.v1.AdministrativeTerms;
import io.sealbook.protocol.v1.Auditor;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.BrokerStatus;
import io.sealbook.protocol.v1.Change;
import io.sealbook.protocol.v1.InstrumentStatus;
import io.sealbook.protocol.v1.RemoveAuditor;
import io.sealbook.protocol.v1.RevokeKey;
import io.sealbook.protocol.v1.SetAccounts;
import io.sealbook.protocol.v1.SetBrokerStatus;
import io.sealbook.protocol.v1.SetInstrumentStatus;
import io.sealbook.protocol.v1.SetLimits;
import io.sealbook.protocol.v1.SetQuota;
import io.sealbook.protocol.v1.SetRates;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The changes of a transaction as options; in the transaction they are in the order of the fields here. */
final class ChangeOptions {
    @Option(
            names = "--changes",
            paramLabel = "FILE",
            description =
                    "JSON with a list \"changes\", in the form of an AdministrativeTerms of admin.proto; before the"
                            + " changes of the options.")
    private Path changes;

    @Option(
            names = "--add-broker",
            paramLabel = "ID:NAME:FILE:FIRST[-LAST]:QUOTA",
            description = "New broker: its public key, which becomes key 1, its accounts, its quota of live orders.")
    private List<String> addBroker = List.of();

    @Option(
            names = "--add-key",
            paramLabel = "BROKER:KEYID:FILE",
            description = "New key of a broker under an id that it never used; keys that it has go on.")
    private List<String> addKey = List.of();

    @Option(names = "--revoke-key", paramLabel = "BROKER:KEYID", description = "The key signs nothing any more.")
    private List<String> revokeKey = List.of();

    @Option(names = "--suspend-broker", paramLabel = "ID", description = "The broker may cancel, and nothing else.")
    private List<String> suspendBroker = List.of();

    @Option(names = "--resume-broker", paramLabel = "ID", description = "Ends a suspension.")
    private List<String> resumeBroker = List.of();

    @Option(
            names = "--remove-broker",
            paramLabel = "ID",
            description = "For ever; the broker's live orders are cancelled.")
    private List<String> removeBroker = List.of();

    @Option(
            names = "--accounts",
            paramLabel = "BROKER:FIRST[-LAST][,...]",
            description = "All accounts of the broker; the ranges replace those that it has.")
    private List<String> accounts = List.of();

    @Option(names = "--quota", paramLabel = "BROKER:COUNT", description = "Live orders of the broker at most.")
    private List<String> quota = List.of();

    @Option(
            names = "--rates",
            paramLabel = "BROKER:ORDERS:BYTES",
            description = "What the broker may send per second: new orders and replaces, and bytes; 0 without a limit.")
    private List<String> rates = List.of();

    @Option(
            names = "--add-instrument",
            paramLabel = "SPEC",
            description = "id:symbol:decimals:priceMin:priceMax:quantityMax[:keep], prices in ticks.")
    private List<String> addInstrument = List.of();

    @Option(
            names = "--limits",
            paramLabel = "ID:PRICEMIN:PRICEMAX:QUANTITYMAX",
            description = "New limits of an instrument; resting orders outside the prices are cancelled.")
    private List<String> limits = List.of();

    @Option(names = "--halt", paramLabel = "ID", description = "The instrument takes cancels, and nothing else.")
    private List<String> halt = List.of();

    @Option(names = "--resume", paramLabel = "ID", description = "Ends the halt of an instrument.")
    private List<String> resume = List.of();

    @Option(names = "--add-auditor", paramLabel = "ID:NAME:FILE", description = "New auditor with its public key.")
    private List<String> addAuditor = List.of();

    @Option(names = "--remove-auditor", paramLabel = "ID", description = "Its key proves nothing any more.")
    private List<String> removeAuditor = List.of();

    @Mixin
    private EpochChangeOptions epochChanges = new EpochChangeOptions();

    /**
     * Returns the changes.
     *
     * @param present the configuration at present, of which a replaced node keeps what is not given; not called if no
     *     change needs it
     * @throws IOException if a file cannot be read
     * @throws IllegalArgumentException if an option has another form, or there is no change
     */
    List<Change> changes(PresentTerms present) throws IOException {
        List<Change> list = new ArrayList<>();
        if (changes != null) {
            list.addAll(ofFile());
        }
        for (String text : addBroker) {
            list.add(Change.newBuilder().setAddBroker(broker(text)).build());
        }
        for (String text : addKey) {
            String[] parts = parts("--add-key", text, 3);
            list.add(Change.newBuilder()
                    .setAddKey(AddKey.newBuilder().setBrokerId(id(parts[0])).setKey(key(id(parts[1]), parts[2])))
                    .build());
        }
        for (String text : revokeKey) {
            String[] parts = parts("--revoke-key", text, 2);
            list.add(Change.newBuilder()
                    .setRevokeKey(
                            RevokeKey.newBuilder().setBrokerId(id(parts[0])).setKeyId(id(parts[1])))
                    .build());
        }
        suspendBroker.forEach(text -> list.add(status(text, BrokerStatus.BROKER_SUSPENDED)));
        resumeBroker.forEach(text -> list.add(status(text, BrokerStatus.BROKER_ACTIVE)));
        removeBroker.forEach(text -> list.add(status(text, BrokerStatus.BROKER_REMOVED)));
        accounts.forEach(text -> list.add(accounts(text)));
        for (String text : quota) {
            String[] parts = parts("--quota", text, 2);
            list.add(Change.newBuilder()
                    .setSetQuota(SetQuota.newBuilder().setBrokerId(id(parts[0])).setLiveOrderCountMax(id(parts[1])))
                    .build());
        }
        rates.forEach(
                text -> list.add(Change.newBuilder().setSetRates(rates(text)).build()));
        addInstrument.forEach(text -> list.add(
                Change.newBuilder().setAddInstrument(InstrumentSpec.parse(text)).build()));
        limits.forEach(text -> list.add(limits(text)));
        halt.forEach(text -> list.add(status(text, InstrumentStatus.INSTRUMENT_HALTED)));
        resume.forEach(text -> list.add(status(text, InstrumentStatus.INSTRUMENT_TRADING)));
        for (String text : addAuditor) {
            String[] parts = parts("--add-auditor", text, 3);
            list.add(Change.newBuilder()
                    .setAddAuditor(Auditor.newBuilder()
                            .setAuditorId(id(parts[0]))
                            .setName(parts[1])
                            .setKey(PublicKeyFile.read(Path.of(parts[2]))))
                    .build());
        }
        removeAuditor.forEach(text -> list.add(Change.newBuilder()
                .setRemoveAuditor(RemoveAuditor.newBuilder().setAuditorId(id(text)))
                .build()));
        list.addAll(epochChanges.changes(present));
        if (list.isEmpty()) {
            throw new IllegalArgumentException("a transaction needs a change, such as --halt 1; see --help");
        }
        return list;
    }

    private List<Change> ofFile() throws IOException {
        AdministrativeTerms.Builder terms = AdministrativeTerms.newBuilder();
        try {
            JsonFormat.parser().merge(Files.readString(changes), terms);
        } catch (InvalidProtocolBufferException | CharacterCodingException e) {
            throw new IllegalArgumentException(changes + ": no list of changes: " + e.getMessage(), e);
        }
        return terms.getChangesList();
    }

    private static Broker broker(String text) throws IOException {
        String[] parts = parts("--add-broker", text, 5);
        return Broker.newBuilder()
                .setBrokerId(id(parts[0]))
                .setName(parts[1])
                .addKeys(key(1, parts[2]))
                .addAccounts(range(parts[0], parts[3]))
                .setLiveOrderCountMax(id(parts[4]))
                .build();
    }

    private static BrokerKey key(int keyId, String file) throws IOException {
        return BrokerKey.newBuilder()
                .setKeyId(keyId)
                .setKey(PublicKeyFile.read(Path.of(file)))
                .build();
    }

    private static AccountRange range(String broker, String text) {
        return AccountSpec.parse(broker + ":" + text).range();
    }

    private static Change accounts(String text) {
        String[] parts = parts("--accounts", text, 2);
        SetAccounts.Builder accounts = SetAccounts.newBuilder().setBrokerId(id(parts[0]));
        for (String range : parts[1].split(",", -1)) {
            accounts.addAccounts(range(parts[0], range));
        }
        return Change.newBuilder().setSetAccounts(accounts).build();
    }

    private static SetRates rates(String text) {
        String[] parts = parts("--rates", text, 3);
        return SetRates.newBuilder()
                .setBrokerId(id(parts[0]))
                .setOrdersPerSecondMax(id(parts[1]))
                .setBytesPerSecondMax(id(parts[2]))
                .build();
    }

    private static Change limits(String text) {
        String[] parts = parts("--limits", text, 4);
        try {
            return Change.newBuilder()
                    .setSetLimits(SetLimits.newBuilder()
                            .setInstrumentId(id(parts[0]))
                            .setPriceMin(Long.parseLong(parts[1]))
                            .setPriceMax(Long.parseLong(parts[2]))
                            .setQuantityMax(Long.parseLong(parts[3])))
                    .build();
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("--limits " + text + ": expected ID:PRICEMIN:PRICEMAX:QUANTITYMAX", e);
        }
    }

    private static Change status(String brokerId, BrokerStatus status) {
        return Change.newBuilder()
                .setSetBrokerStatus(
                        SetBrokerStatus.newBuilder().setBrokerId(id(brokerId)).setStatus(status))
                .build();
    }

    private static Change status(String instrumentId, InstrumentStatus status) {
        return Change.newBuilder()
                .setSetInstrumentStatus(SetInstrumentStatus.newBuilder()
                        .setInstrumentId(id(instrumentId))
                        .setStatus(status))
                .build();
    }

    static String[] parts(String option, String text, int count) {
        String[] parts = text.split(":", -1);
        if (parts.length != count) {
            throw new IllegalArgumentException(
                    option + " " + text + ": " + parts.length + " parts between colons, expected " + count);
        }
        return parts;
    }

    static int id(String text) {
        try {
            return Integer.parseUnsignedInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is no number from 0 to 4294967295", e);
        }
    }
}
