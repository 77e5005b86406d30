package io.sealbook.fuzz;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.sealbook.membership.ApprovedTerms;
import io.sealbook.membership.ChangeText;
import io.sealbook.membership.Membership;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.AdministrativeTransaction;
import io.sealbook.protocol.v1.EndpointRecord;
import io.sealbook.protocol.v1.Node;
import io.sealbook.tls.endpoint.EndpointBook;
import io.sealbook.tls.endpoint.SignedEndpoint;
import io.sealbook.tls.role.Role;
import io.sealbook.tls.role.RoleStatement;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The genesis file and what changes it, statements of roles, addresses of nodes. */
final class TermsDecoders {
    private static final long SERIAL = 3;

    private TermsDecoders() {}

    static List<Decoder> all() {
        return List.of(
                new Decoder(
                        "genesis",
                        () -> List.of(SampleChain.genesisJson(), nested('['), nested('{')),
                        Promises.refuses(IllegalArgumentException.class, TermsDecoders::genesis)),
                new Decoder("transaction", () -> List.of(SampleChain.TRANSACTION), TermsDecoders::transaction),
                new Decoder("transaction-approved", () -> List.of(terms()), TermsDecoders::approved),
                new Decoder(
                        "membership-state",
                        TermsDecoders::states,
                        Promises.stable(
                                IllegalArgumentException.class,
                                bytes -> Membership.decode(SampleChain.GENESIS.genesis(), bytes),
                                Membership::encode)),
                new Decoder(
                        "role-statement",
                        () -> List.of(statement().encode()),
                        Promises.canonical(
                                IllegalArgumentException.class, RoleStatement::decode, RoleStatement::encode)),
                new Decoder(
                        "role-header",
                        () -> List.of(statement().toText().getBytes(StandardCharsets.US_ASCII)),
                        Promises.stable(
                                IllegalArgumentException.class,
                                bytes -> RoleStatement.ofText(new String(bytes, StandardCharsets.ISO_8859_1)),
                                role -> role.toText().getBytes(StandardCharsets.US_ASCII))),
                new Decoder(
                        "endpoint-record", () -> List.of(endpoint().record().toByteArray()), TermsDecoders::endpoint));
    }

    /** Deeper than any message. */
    static byte[] nested(char open) {
        return String.valueOf(open).repeat(4_000).getBytes(StandardCharsets.US_ASCII);
    }

    private static Object genesis(byte[] bytes) {
        GenesisFile file = GenesisFile.parse(bytes);
        byte[] again = GenesisFile.toJson(file.genesis()).getBytes(StandardCharsets.UTF_8);
        Promises.require(GenesisFile.parse(again).genesis().equals(file.genesis()), "another genesis is written");
        return Membership.of(file.genesis());
    }

    private static void transaction(byte[] bytes) {
        Membership membership = Membership.of(SampleChain.GENESIS.genesis());
        membership.apply(bytes, 5);
        try {
            ChangeText.lines(ApprovedTerms.terms(ApprovedTerms.decode(bytes), SampleChain.GENESIS.genesis()));
        } catch (IllegalArgumentException e) {
            // No transaction of this chain.
        }
    }

    private static byte[] terms() {
        try {
            return AdministrativeTransaction.parseFrom(SampleChain.TRANSACTION)
                    .getTerms()
                    .toByteArray();
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whatever a quorum signs is executed as a whole, or refused. */
    private static void approved(byte[] bytes) {
        AdministrativeTransaction transaction = AdministrativeTransaction.newBuilder()
                .setTerms(ByteString.copyFrom(bytes))
                .build();
        for (int node = 0; node < 3; node++) {
            transaction = ApprovedTerms.approve(
                    transaction, node, SampleChain.key(node).signer());
        }
        Membership before = Membership.of(SampleChain.GENESIS.genesis());
        Membership.Outcome outcome = before.apply(transaction.toByteArray(), 5);
        if (outcome.isExecuted()) {
            byte[] state = outcome.membership().encode();
            Promises.requireSame(
                    state,
                    Membership.decode(SampleChain.GENESIS.genesis(), state).encode());
        } else {
            Promises.require(outcome.membership() == before, "refused, yet changed");
        }
    }

    private static List<byte[]> states() {
        Membership first = Membership.of(SampleChain.GENESIS.genesis());
        return List.of(
                first.encode(),
                first.apply(SampleChain.TRANSACTION, 3).membership().encode());
    }

    private static RoleStatement statement() {
        return new RoleStatement(Role.BROKER, SampleChain.BROKER, 0, new byte[65]);
    }

    static SignedEndpoint endpoint() {
        return SignedEndpoint.sign(
                SampleChain.CHAIN_ID,
                SERIAL,
                1_700_000_000_000L,
                SampleChain.GENESIS.genesis().getNodes(1),
                SampleChain.key(1).signer());
    }

    private static void endpoint(byte[] bytes) {
        EndpointRecord record;
        try {
            record = EndpointRecord.parseFrom(bytes);
        } catch (InvalidProtocolBufferException e) {
            return;
        }
        List<Node> nodes = SampleChain.GENESIS.genesis().getNodesList();
        EndpointBook book = new EndpointBook(SampleChain.CHAIN_ID);
        boolean isTaken = book.offer(record, nodes) == EndpointBook.Outcome.TAKEN;
        Promises.require(isTaken == !book.records(nodes).isEmpty(), "taken by half");
    }
}
