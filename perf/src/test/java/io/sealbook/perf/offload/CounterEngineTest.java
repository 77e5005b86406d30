package io.sealbook.perf.offload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.client.Order;
import io.sealbook.client.codec.BatchSealer;
import io.sealbook.consensus.execution.InProcessEngine;
import io.sealbook.consensus.execution.InProcessEngineProvider;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signers;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class CounterEngineTest {
    private final BatchSealer sealer = new BatchSealer(
            1, 1, 1, Signers.generate(SignatureScheme.ECDSA_SECP256K1_SHA256), 2, BatchPosition.first(0));

    @Test
    void shouldHaveAResultThatDependsOnEachPass() {
        Block light = block(1, 1);
        Block heavy = block(1, 100_001);
        Block two = block(2, 50_001);

        assertThat(new CounterEngine().execute(light)).isEqualTo(new CounterEngine().execute(light));
        assertThat(new CounterEngine().execute(heavy)).isNotEqualTo(new CounterEngine().execute(light));

        assertThat(new CounterEngine().execute(two))
                .as("passes of all orders count")
                .isEqualTo(new CounterEngine().execute(heavy));

        CounterEngine chained = new CounterEngine();
        Digest first = chained.execute(light);
        assertThat(chained.execute(light)).as("the state goes on").isNotEqualTo(first);
    }

    @Test
    void shouldBeFoundByNodes() {
        InProcessEngineProvider provider = ServiceLoader.load(InProcessEngineProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(each -> each.name().equals("counter"))
                .findFirst()
                .orElseThrow();

        try (InProcessEngine engine = provider.open(null, Map.of())) {
            assertThat(engine).isInstanceOf(CounterEngine.class);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        assertThatThrownBy(() -> provider.open(null, Map.of("loops", "7"))).hasMessageContaining("loops");
    }

    private Block block(int orders, long quantity) {
        List<Order> entries = LongStream.rangeClosed(1, orders)
                .mapToObj(id -> Order.limit(id, 1, 1, Side.BUY, 1, quantity))
                .toList();
        byte[] signed = sealer.seal(entries, 1_000, 1).signedBytes();
        return new BlockBuilder()
                .begin(1, 0, 1, Digest.ZERO, Digest.ZERO)
                .add(Digest.ZERO, 1, signed, 0, signed.length)
                .buildBlock();
    }
}
