package io.sealbook.matching.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signers;
import io.sealbook.crypto.SigningKey;
import io.sealbook.matching.BrokerStatus;
import io.sealbook.matching.MarketConfig;
import io.sealbook.matching.MatchingCore;
import io.sealbook.matching.MatchingOutput;
import io.sealbook.matching.ReportRecord;
import io.sealbook.membership.ApprovedTerms;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.AdministrativeTerms;
import io.sealbook.protocol.v1.AdministrativeTransaction;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.Change;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.protocol.v1.InstrumentStatus;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.PublicKey;
import io.sealbook.protocol.v1.RevokeKey;
import io.sealbook.protocol.v1.SetBrokerStatus;
import io.sealbook.protocol.v1.SetInstrumentStatus;
import io.sealbook.vocabulary.AdministrativeBatch;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;

/** A transaction is in effect from the block after its own on, also after a restart in between. */
class ChainExecutionTest {
    private static final long CHAIN_ID = 77;
    private static final List<SigningKey> IDENTITIES = List.of(key(), key(), key(), key());
    private static final PublicKey BROKER_KEY = publicKey(key());
    private static final Genesis GENESIS = genesis();

    private final List<String> refusals = new ArrayList<>();
    private ChainExecution chain = execution(new MatchingCore(MarketConfig.of(GENESIS)), ChainTerms.of(GENESIS));

    @Test
    void shouldApplyTheTransactionsOfABlockFromTheNextOneOn() {
        block(transaction(1, halt(InstrumentStatus.INSTRUMENT_HALTED)), transaction(2, suspend()));

        assertThat(refusals).containsExactly("", "");
        assertThat(chain.core().config().instruments().get(0).isHalted()).isFalse();
        assertThat(chain.terms().executed().number()).isZero();
        assertThat(chain.terms().next().number()).isEqualTo(2);
        assertThat(chain.terms().configurations()).isEmpty();

        block();

        assertThat(chain.core().config().instruments().get(0).isHalted()).isTrue();
        assertThat(chain.core().config().brokers().get(0).status()).isEqualTo(BrokerStatus.SUSPENDED);
        assertThat(chain.terms().executed()).isSameAs(chain.terms().next());
        assertThat(chain.terms().configurations())
                .extracting(BoundConfiguration::block)
                .containsExactly(2L);
        assertThat(chain.terms().boundBy(2)).isPresent();
        assertThat(chain.terms().boundBy(1)).isEmpty();
        assertThat(chain.terms().boundBy(3)).isEmpty();
        block();
        assertThat(chain.core().batchCount()).as("they are no order batches").isZero();
        assertThat(chain.core().ignoredBatchCount()).isZero();
    }

    @Test
    void shouldGoOnAlikeFromEveryBlock() throws IOException {
        ChainExecution straight = execution(new MatchingCore(MarketConfig.of(GENESIS)), ChainTerms.of(GENESIS));
        byte[][][] blocks = {
            {transaction(1, halt(InstrumentStatus.INSTRUMENT_HALTED))},
            {transaction(1, suspend()), transaction(2, addBroker(9))},
            {},
            {
                transaction(
                        3,
                        Change.newBuilder()
                                .setRevokeKey(
                                        RevokeKey.newBuilder().setBrokerId(1).setKeyId(1))
                                .build())
            },
            {transaction(4, halt(InstrumentStatus.INSTRUMENT_TRADING)), transaction(5, suspend())},
            {}
        };
        for (byte[][] batches : blocks) {
            restart();

            block(batches);
            execute(straight, batches);

            assertThat(chain.core().resultDigest()).isEqualTo(straight.core().resultDigest());
            assertThat(chain.core().stateDigest()).isEqualTo(straight.core().stateDigest());
            assertThat(chain.terms().encode()).isEqualTo(straight.terms().encode());
        }
        assertThat(refusals).filteredOn(refusal -> !refusal.isEmpty()).hasSize(2);
        assertThat(chain.core().config().brokers()).hasSize(2);
        assertThat(chain.core().lastReportSequence(9)).isZero();
        assertThat(chain.terms().configurations()).hasSize(4);
    }

    @Test
    void shouldRefuseDamagedTerms() {
        block(transaction(1, suspend()));
        byte[] bytes = chain.terms().encode();

        assertThat(ChainTerms.decode(GENESIS, bytes).encode()).isEqualTo(bytes);
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> ChainTerms.decode(GENESIS, cut)).isInstanceOf(IllegalArgumentException.class);
        }
        byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
        assertThatThrownBy(() -> ChainTerms.decode(GENESIS, longer)).isInstanceOf(IllegalArgumentException.class);
    }

    private void restart() throws IOException {
        ByteArrayOutputStream core = new ByteArrayOutputStream();
        chain.core().writeSnapshot(core);
        ChainTerms terms = ChainTerms.decode(GENESIS, chain.terms().encode());
        chain = execution(ChainExecution.readCore(terms, new ByteArrayInputStream(core.toByteArray()), 5), terms);
    }

    private ChainExecution execution(MatchingCore core, ChainTerms terms) {
        return new ChainExecution(core, terms, outcome -> refusals.add(outcome.refusal()));
    }

    private void block(byte[]... batches) {
        execute(chain, batches);
    }

    private static void execute(ChainExecution execution, byte[]... batches) {
        long sequence = execution.core().lastSequence() + 1;
        execution.beginBlock(sequence, sequence, new MatchingOutput() {
            @Override
            public void onReport(ReportRecord report) {
                // Digests are compared.
            }

            @Override
            public void onTrade(DirectBuffer buffer, int offset, int length) {
                // Likewise.
            }
        });
        for (int i = 0; i < batches.length; i++) {
            execution.onBatch(i, batches[i], 0, batches[i].length);
        }
        execution.endBlock();
    }

    private static Change halt(InstrumentStatus status) {
        return Change.newBuilder()
                .setSetInstrumentStatus(
                        SetInstrumentStatus.newBuilder().setInstrumentId(1).setStatus(status))
                .build();
    }

    private static Change suspend() {
        return Change.newBuilder()
                .setSetBrokerStatus(SetBrokerStatus.newBuilder()
                        .setBrokerId(1)
                        .setStatus(io.sealbook.protocol.v1.BrokerStatus.BROKER_SUSPENDED))
                .build();
    }

    private static Change addBroker(int brokerId) {
        return Change.newBuilder().setAddBroker(broker(brokerId)).build();
    }

    private static Broker broker(int brokerId) {
        return Broker.newBuilder()
                .setBrokerId(brokerId)
                .setLiveOrderCountMax(10)
                .addKeys(BrokerKey.newBuilder().setKeyId(1).setKey(BROKER_KEY))
                .build();
    }

    private static byte[] transaction(long number, Change change) {
        AdministrativeTransaction transaction = AdministrativeTransaction.newBuilder()
                .setTerms(AdministrativeTerms.newBuilder()
                        .setChainId(CHAIN_ID)
                        .setNumber(number)
                        .addChanges(change)
                        .build()
                        .toByteString())
                .build();
        for (int node = 0; node < 3; node++) {
            transaction = ApprovedTerms.approve(transaction, node, Signers.of(IDENTITIES.get(node)));
        }
        return AdministrativeBatch.unsigned(
                CHAIN_ID, new BatchPosition(0, number, Digest.ZERO), 1, 0, transaction.toByteArray());
    }

    private static Genesis genesis() {
        Genesis.Builder genesis = Genesis.newBuilder().setChainId(CHAIN_ID).addBrokers(broker(1));
        for (int i = 0; i < IDENTITIES.size(); i++) {
            genesis.addNodes(Node.newBuilder().setNodeId(i).setIdentity(publicKey(IDENTITIES.get(i))));
        }
        genesis.addInstruments(Instrument.newBuilder()
                .setInstrumentId(1)
                .setSymbol("A")
                .setPriceMin(1)
                .setPriceMax(100)
                .setQuantityMax(100));
        return GenesisFile.withDefaults(genesis.build());
    }

    private static SigningKey key() {
        return SigningKey.generate(SignatureScheme.SM2_SM3);
    }

    private static PublicKey publicKey(SigningKey key) {
        return PublicKey.newBuilder()
                .setSchemeValue(key.scheme().code())
                .setPoint(ByteString.copyFrom(key.verificationKey().point()))
                .build();
    }
}
