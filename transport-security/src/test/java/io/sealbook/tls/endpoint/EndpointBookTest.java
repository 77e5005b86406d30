package io.sealbook.tls.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.protocol.v1.EndpointRecord;
import io.sealbook.protocol.v1.EndpointStatement;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.PublicKey;
import io.sealbook.tls.endpoint.EndpointBook.Outcome;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointBookTest {
    private static final long CHAIN = 4711;

    private final Signer first = Signers.generate(SignatureScheme.ECDSA_SECP256K1_SHA256);
    private final Signer second = Signers.generate(SignatureScheme.SM2_SM3);
    private final List<Node> nodes = List.of(node(0, first), node(1, second));
    private final EndpointBook book = new EndpointBook(CHAIN);

    @Test
    void shouldNameTheAddressesOfTheNewestRecord() {
        assertThat(book.present(nodes.get(1))).isEqualTo(nodes.get(1));

        assertThat(book.offer(record(second, 1, "there"), nodes)).isEqualTo(Outcome.TAKEN);
        assertThat(book.offer(record(second, 3, "farther"), nodes)).isEqualTo(Outcome.TAKEN);

        Node present = book.present(nodes.get(1));
        assertThat(present.getHost()).isEqualTo("farther");
        assertThat(List.of(
                        present.getVotePort(),
                        present.getPayloadPort(),
                        present.getGatewayPort(),
                        present.getEnginePort()))
                .containsExactly(11, 12, 13, 14);
        assertThat(present.getIdentity()).isEqualTo(nodes.get(1).getIdentity());
        assertThat(book.present(nodes.get(0))).isEqualTo(nodes.get(0));
        assertThat(book.serials(nodes)).isEqualTo(3);
        assertThat(book.records(nodes)).containsExactly(record(second, 3, "farther"));
    }

    @Test
    void shouldKeepTheNewerOfTwoRecords() {
        book.offer(record(first, 5, "now"), nodes);

        assertThat(book.isNews(record(first, 4, "before"))).isFalse();
        assertThat(book.offer(record(first, 4, "before"), nodes)).isEqualTo(Outcome.KNOWN);
        assertThat(book.offer(record(first, 5, "now"), nodes)).isEqualTo(Outcome.KNOWN);
        assertThat(host(0)).isEqualTo("now");

        assertThat(book.offer(
                        SignedEndpoint.sign(CHAIN, 5, 2_000, at(nodes.get(0), "later"), first)
                                .record(),
                        nodes))
                .as("a node that lost its file issues a number again")
                .isEqualTo(Outcome.TAKEN);
        assertThat(host(0)).isEqualTo("later");
        assertThat(book.offer(record(first, -1, "last"), nodes))
                .as("numbers are unsigned")
                .isEqualTo(Outcome.TAKEN);
    }

    @Test
    void shouldRefuseWhatTheNodeDidNotSign() {
        EndpointRecord own = record(first, 1, "here");
        EndpointRecord other = record(second, 1, "there");

        assertThat(book.offer(own.toBuilder().setSignature(other.getSignature()).build(), nodes))
                .isEqualTo(Outcome.REFUSED);
        assertThat(book.offer(changed(own, statement -> statement.setHost("elsewhere")), nodes))
                .isEqualTo(Outcome.REFUSED);
        assertThat(book.offer(changed(own, statement -> statement.setGatewayPort(1)), nodes))
                .isEqualTo(Outcome.REFUSED);
        assertThat(book.offer(
                        changed(
                                own,
                                statement -> statement.setIdentity(nodes.get(1).getIdentity())),
                        nodes))
                .isEqualTo(Outcome.REFUSED);
        for (int bit = 0; bit < 8 * SignatureScheme.SIGNATURE_LENGTH - 8; bit++) {
            byte[] signature = own.getSignature().toByteArray();
            signature[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(book.offer(
                            own.toBuilder()
                                    .setSignature(ByteString.copyFrom(signature))
                                    .build(),
                            nodes))
                    .as("bit %d", bit)
                    .isEqualTo(Outcome.REFUSED);
        }
        assertThat(book.records(nodes)).isEmpty();
        assertThat(book.offer(own, nodes)).isEqualTo(Outcome.TAKEN);
    }

    @Test
    void shouldBindRecordsToTheirPurposeAndChain() {
        ByteString statement = record(first, 1, "here").getStatement();
        EndpointRecord untagged = EndpointRecord.newBuilder()
                .setStatement(statement)
                .setSignature(ByteString.copyFrom(first.sign(statement.toByteArray())))
                .build();
        assertThat(book.offer(untagged, nodes)).isEqualTo(Outcome.REFUSED);
        assertThat(book.offer(
                        SignedEndpoint.sign(CHAIN + 1, 1, 1_000, nodes.get(0), first)
                                .record(),
                        nodes))
                .isEqualTo(Outcome.REFUSED);
    }

    @Test
    void shouldForgetKeysThatAreNoNodesAnyMore() {
        book.offer(record(first, 1, "here"), nodes);
        List<Node> after = List.of(nodes.get(1));

        assertThat(book.offer(record(first, 2, "back"), after)).isEqualTo(Outcome.REFUSED);
        assertThat(book.records(after)).isEmpty();
        assertThat(book.offer(record(second, 1, "there"), after)).isEqualTo(Outcome.TAKEN);
        assertThat(book.of(nodes.get(0))).isEmpty();
    }

    @Test
    void shouldRefuseWhatHasNoForm() {
        EndpointRecord valid = record(first, 1, "here");
        assertMalformed(changed(valid, statement -> statement.setSerial(0)), "serial number 0");
        assertMalformed(changed(valid, statement -> statement.setHost("")), "host is not");
        assertMalformed(changed(valid, statement -> statement.setHost("a b")), "host is not");
        assertMalformed(changed(valid, statement -> statement.setHost("a\nb")), "host is not");
        assertMalformed(changed(valid, statement -> statement.setHost("x".repeat(254))), "host is not");
        assertMalformed(changed(valid, statement -> statement.setVotePort(65_536)), "vote port 65536");
        assertMalformed(changed(valid, statement -> statement.setEnginePort(-1)), "engine port 4294967295");
        assertMalformed(
                valid.toBuilder()
                        .setStatement(ByteString.copyFrom(new byte[SignedEndpoint.LENGTH_MAX]))
                        .build(),
                "at most 1024");
        assertMalformed(
                valid.toBuilder()
                        .setStatement(ByteString.copyFromUtf8("\u0001"))
                        .build(),
                "no statement");
        assertMalformed(
                valid.toBuilder().setSignature(ByteString.copyFromUtf8("s")).build(), "signature of 1 bytes");
        PublicKey offCurve = valid(valid).getIdentity().toBuilder()
                .setPoint(ByteString.copyFrom(new byte[64]))
                .build();
        assertThat(SignedEndpoint.read(changed(valid, statement -> statement.setIdentity(offCurve)), CHAIN)
                        .isGenuine())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "node_0",
                "<",
                "[",
                "]",
                "%zz",
                "-x",
                "x-",
                "..",
                ".",
                "1.2.3.4.5",
                "256.1.1.1",
                "a:1",
                "a@b",
                "a/b",
                "a?b",
                "[::1",
                ":::",
                "dns:///a"
            })
    void shouldRefuseAHostToWhichNoChannelCanBeBuilt(String host) {
        assertMalformed(changed(record(first, 1, "here"), statement -> statement.setHost(host)), "host is not");
    }

    @ParameterizedTest
    @CsvSource({
        "here,here:7102",
        "node-0.example.org,node-0.example.org:7102",
        "4f3a9b,4f3a9b:7102",
        "a.b.,a.b.:7102",
        "10.0.0.1,10.0.0.1:7102",
        "::1,[::1]:7102",
        "[fd00::1],[fd00::1]:7102"
    })
    void shouldTakeANameOrAddress(String host, String address) {
        assertThat(book.offer(record(first, 1, host), nodes)).isEqualTo(Outcome.TAKEN);
        assertThat(new HostPort(host(0), 7102)).hasToString(address);
    }

    private void assertMalformed(EndpointRecord record, String fact) {
        assertThatThrownBy(() -> SignedEndpoint.read(record, CHAIN))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(fact);
        assertThat(book.offer(record, nodes)).isEqualTo(Outcome.REFUSED);
    }

    private static EndpointRecord changed(EndpointRecord record, Consumer<EndpointStatement.Builder> change) {
        EndpointStatement.Builder statement = valid(record).toBuilder();
        change.accept(statement);
        return record.toBuilder().setStatement(statement.build().toByteString()).build();
    }

    private static EndpointStatement valid(EndpointRecord record) {
        return SignedEndpoint.read(record, CHAIN).statement();
    }

    private String host(int node) {
        return book.present(nodes.get(node)).getHost();
    }

    private EndpointRecord record(Signer signer, long serial, String host) {
        Node node = at(nodes.get(signer == first ? 0 : 1), host);
        return SignedEndpoint.sign(CHAIN, serial, 1_000, node, signer).record();
    }

    private static Node at(Node node, String host) {
        return node.toBuilder()
                .setHost(host)
                .setVotePort(11)
                .setPayloadPort(12)
                .setGatewayPort(13)
                .setEnginePort(14)
                .build();
    }

    private static Node node(int nodeId, Signer signer) {
        return Node.newBuilder()
                .setNodeId(nodeId)
                .setHost("genesis")
                .setIdentity(PublicKey.newBuilder()
                        .setSchemeValue(signer.scheme().code())
                        .setPoint(ByteString.copyFrom(signer.verificationKey().point())))
                .build();
    }
}
