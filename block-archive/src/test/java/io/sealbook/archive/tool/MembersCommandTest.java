package io.sealbook.archive.tool;

import static io.sealbook.archive.administration.ChangingChain.addKey;
import static io.sealbook.archive.administration.ChangingChain.fingerprint;
import static io.sealbook.archive.administration.ChangingChain.halt;
import static io.sealbook.archive.administration.ChangingChain.revokeKey;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Struct;
import com.google.protobuf.util.JsonFormat;
import io.sealbook.archive.administration.ChangingChain;
import io.sealbook.crypto.Signer;
import io.sealbook.membership.ApprovedTerms;
import io.sealbook.protocol.v1.AdministrativeTerms;
import io.sealbook.protocol.v1.AdministrativeTransaction;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MembersCommandTest {
    @TempDir
    Path directory;

    private final ChangingChain chain = new ChangingChain(5);
    private final StringWriter out = new StringWriter();
    private Signer second;
    private Path archive;
    private Path genesis;

    @BeforeEach
    void writeGenesis() throws IOException {
        archive = directory.resolve("archive");
        genesis = Files.write(directory.resolve("genesis.json"), chain.genesisJson());
        chain.appendOrders(1);
        second = chain.newKey();
        chain.append(chain.transaction(1, addKey(1, 2, second), halt(true)));
        chain.append(chain.transaction(2, revokeKey(1, 1)), chain.transaction(9, halt(false)));
        chain.appendOrders(1);
        chain.writeTo(archive);
    }

    @Test
    void shouldPrintTheConsortiumAndItsHistory() {
        assertThat(run("members", archive, "--genesis", genesis)).isZero();

        assertThat(lines())
                .containsSubsequence(
                        "asOfBlock 5",
                        "transactions 2",
                        "epoch 0 from block 1",
                        "broker 1 active accounts 1 quota 400",
                        "instrument 1 halted prices 1..1000 and quantities up to 1000",
                        "block 2: transaction 1: key 2 of broker 1 added: " + fingerprint(second)
                                + "; instrument 1 halted, approved by 0, 1, 3, reason: reason 1",
                        "block 3: transaction 2: key 1 of broker 1 revoked, approved by 0, 1, 3, reason: reason 2",
                        "block 3: transaction 9 refused: transaction 9, expected 3, reason: reason 9")
                .anyMatch(line -> line.matches("key 1 of broker 1 \\w+ \\w+ until block 3"))
                .anyMatch(line -> line.matches("key 2 of broker 1 \\w+ \\w+ from block 3"));
    }

    @Test
    void shouldPrintItAsOfAnEarlierBlock() {
        assertThat(run("members", archive, "--genesis", genesis, "--block", 3)).isZero();
        assertThat(lines())
                .contains("asOfBlock 3", "transactions 1")
                .noneMatch(line -> line.contains("until"))
                .noneMatch(line -> line.startsWith("block 3"));

        assertThat(run("members", archive, "--genesis", genesis, "--block", 2)).isZero();
        assertThat(lines()).contains("transactions 0").noneMatch(line -> line.startsWith("block"));

        assertThat(run("members", archive, "--genesis", genesis, "--block", 7)).isEqualTo(3);
        assertThat(lines()).containsExactly("block 7 is not here, blocks are 1..4");
    }

    @Test
    void shouldPrintJson() throws IOException {
        assertThat(run("members", archive, "--genesis", genesis, "--json")).isZero();

        Struct.Builder json = Struct.newBuilder();
        JsonFormat.parser().merge(out.toString(), json);
        assertThat(json.getFieldsOrThrow("transactions").getNumberValue()).isEqualTo(2);
        Struct last =
                json.getFieldsOrThrow("history").getListValue().getValues(2).getStructValue();
        assertThat(last.getFieldsOrThrow("isExecuted").getBoolValue()).isFalse();
        assertThat(last.getFieldsOrThrow("refusal").getStringValue()).isEqualTo("transaction 9, expected 3");
        assertThat(json.getFieldsOrThrow("terms")
                        .getStructValue()
                        .getFieldsOrThrow("brokers")
                        .getListValue()
                        .getValuesCount())
                .isEqualTo(2);
    }

    @Test
    void shouldKeepTheTextOfAMemberOnItsLine() throws IOException {
        byte[] transaction = AdministrativeTransaction.newBuilder()
                .setTerms(AdministrativeTerms.newBuilder()
                        .setChainId(ChangingChain.CHAIN_ID)
                        .setNumber(3)
                        .addChanges(halt(false))
                        .setReason("one\nblock 9: \"transaction\" 9\u0001\\")
                        .build()
                        .toByteString())
                .build()
                .toByteArray();
        assertThat(ApprovedTerms.decode(transaction).getApprovalsCount()).isZero();
        chain.append(chain.proposed(0, transaction));
        Path longer = directory.resolve("longer");
        chain.writeTo(longer);

        assertThat(run("members", longer, "--genesis", genesis)).isZero();
        assertThat(lines())
                .contains("block 5: transaction 3 refused: approved by nodes [], expected 3 nodes,"
                        + " reason: one?block 9: \"transaction\" 9?\\");
        assertThat(run("members", longer, "--genesis", genesis, "--json")).isZero();
        Struct.Builder json = Struct.newBuilder();
        JsonFormat.parser().merge(out.toString(), json);
        assertThat(json.getFieldsOrThrow("history")
                        .getListValue()
                        .getValues(3)
                        .getStructValue()
                        .getFieldsOrThrow("reason")
                        .getStringValue())
                .isEqualTo("one\nblock 9: \"transaction\" 9\u0001\\");
    }

    @Test
    void shouldShowTransactionsInADump() throws IOException {
        assertThat(run("dump", archive, "--block", 3, "--orders")).isZero();
        assertThat(lines())
                .contains(
                        "transaction 2 proposed by node 2: key 1 of broker 1 revoked, approvals of 0, 1, 3 not checked")
                .anyMatch(line -> line.startsWith("block 3 ") && line.contains(" administration 2 "));

        assertThat(run("dump", archive, "--json", "--orders")).isZero();
        Struct.Builder json = Struct.newBuilder();
        JsonFormat.parser().merge(lines().get(1), json);
        assertThat(lines().get(1))
                .contains("\"changes\":[\"key 2 of broker 1 added: " + fingerprint(second)
                        + "\",\"instrument 1 halted\"]");
        assertThat(json.getFieldsOrThrow("administrationBlock").getNumberValue())
                .isZero();
        assertThat(run("describe", archive)).isZero();
        assertThat(lines()).contains("lastAdministrationBlock 3");
    }

    @Test
    void shouldRefuseAnotherChainsGenesis() throws IOException {
        Files.write(genesis, new ChangingChain(6).genesisJson());

        assertThat(run("members", archive, "--genesis", genesis)).isEqualTo(1);
        assertThat(lines()).anyMatch(line -> line.startsWith("fault genesis file has digest"));
    }

    private int run(Object... arguments) {
        out.getBuffer().setLength(0);
        String[] all = Arrays.stream(arguments).map(Object::toString).toArray(String[]::new);
        return ArchiveTool.run(new PrintWriter(out, true), new PrintWriter(out, true), all);
    }

    private List<String> lines() {
        return out.toString().lines().toList();
    }
}
