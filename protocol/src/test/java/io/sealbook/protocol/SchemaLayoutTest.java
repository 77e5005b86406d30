package io.sealbook.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.ExecutionReportEncoder;
import io.sealbook.protocol.sbe.MessageHeaderDecoder;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.OrderBatchDecoder;
import io.sealbook.protocol.sbe.OrderBatchEncoder;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Scheme;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import io.sealbook.protocol.sbe.TradeEncoder;
import io.sealbook.vocabulary.SignedBatch;
import java.util.Arrays;
import java.util.HexFormat;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Signed and archived bytes never move: these figures change only with a new schema version that appends. */
class SchemaLayoutTest {
    private static final String GOLDEN_BATCH =
            "4c00010001000100" // header: block length 76, template 1, schema 1, version 1
                    + "0807060504030201" // chainId
                    + "1817161514131211" // number
                    + "2827262524232221" // validUntilBlock
                    + "3837363534333231" // sentTimeNs
                    + "a0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebf" // previous
                    + "44434241" // brokerId
                    + "5251" // keyId
                    + "6261" // session
                    + "01" // scheme SM2_SM3
                    + "00" // reserved
                    + "7271" // timeToLive
                    + "30000100" // group: block length 48, one order
                    + "0100000000000000" // clOrdId
                    + "0000000000000000" // origClOrdId
                    + "1027000000000000" // price 10,000
                    + "6400000000000000" // quantity 100
                    + "07000000" // accountId
                    + "09000000" // instrumentId
                    + "44" // action D
                    + "31" // side 1
                    + "32" // ordType 2
                    + "30" // timeInForce 0
                    + "0000" // flags
                    + "0000";

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[1024]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();

    @Test
    void shouldKeepEveryBlockLength() {
        assertThat(MessageHeaderEncoder.ENCODED_LENGTH).isEqualTo(SignedBatch.MESSAGE_HEADER_LENGTH);
        assertThat(OrderBatchEncoder.BLOCK_LENGTH).isEqualTo(SignedBatch.ROOT_BLOCK_LENGTH);
        assertThat(OrderBatchEncoder.OrdersEncoder.HEADER_SIZE).isEqualTo(SignedBatch.GROUP_HEADER_LENGTH);
        assertThat(OrderBatchEncoder.OrdersEncoder.sbeBlockLength()).isEqualTo(SignedBatch.ORDER_LENGTH);
        assertThat(ExecutionReportEncoder.BLOCK_LENGTH).isEqualTo(145);
        assertThat(TradeEncoder.BLOCK_LENGTH).isEqualTo(93);
    }

    @Test
    void shouldEncodeABatchToTheGoldenBytes() {
        int length = encodeBatch();

        byte[] bytes = new byte[length];
        buffer.getBytes(0, bytes);
        assertThat(length).isEqualTo(SignedBatch.batchLength(1));
        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(GOLDEN_BATCH);
    }

    @Test
    void shouldDecodeTheGoldenBytes() {
        OrderBatchDecoder decoder = new OrderBatchDecoder();

        decoder.wrapAndApplyHeader(new UnsafeBuffer(HexFormat.of().parseHex(GOLDEN_BATCH)), 0, headerDecoder);

        assertThat(decoder.chainId()).isEqualTo(0x0102030405060708L);
        assertThat(decoder.scheme()).isEqualTo(Scheme.SM2_SM3);
        assertThat(decoder.timeToLive()).isEqualTo(0x7172);
        OrderBatchDecoder.OrdersDecoder order = decoder.orders().next();
        assertThat(order.price()).isEqualTo(10_000);
        assertThat(order.action()).isEqualTo(Action.NEW);
        assertThat(order.side()).isEqualTo(Side.BUY);
    }

    /** A later version appends to the block; today's decoder must skip what it does not know. */
    @Test
    void shouldReadAReportOfALaterVersionWithALongerBlock() {
        ExecutionReportEncoder encoder = new ExecutionReportEncoder().wrapAndApplyHeader(buffer, 0, header);
        encoder.reportSequence(7).execType(ExecType.TRADE).lastQty(300);
        header.wrap(buffer, 0)
                .blockLength(ExecutionReportEncoder.BLOCK_LENGTH + 24)
                .version(5);

        ExecutionReportDecoder decoder = new ExecutionReportDecoder().wrapAndApplyHeader(buffer, 0, headerDecoder);

        assertThat(decoder.reportSequence()).isEqualTo(7);
        assertThat(decoder.execType()).isEqualTo(ExecType.TRADE);
        assertThat(decoder.lastQty()).isEqualTo(300);
        assertThat(decoder.limit())
                .isEqualTo(MessageHeaderDecoder.ENCODED_LENGTH + ExecutionReportEncoder.BLOCK_LENGTH + 24);
    }

    @Test
    void shouldKeepTheNumericValuesOfEnumerations() {
        assertThat(Arrays.stream(ExecType.values())
                        .filter(v -> v != ExecType.NULL_VAL)
                        .map(v -> (char) v.value()))
                .containsExactly('0', '4', '5', '8', 'C', 'F', '9', 'r');
        assertThat(Arrays.stream(Action.values())
                        .filter(v -> v != Action.NULL_VAL)
                        .map(v -> (char) v.value()))
                .containsExactly('D', 'F', 'G', 'q', 'A');
        assertThat(RejectReason.MASS_CANCEL_LIMIT.value()).isEqualTo((short) 23);
        assertThat(RejectReason.RATE_QUOTA.value()).isEqualTo((short) 24);
        assertThat(Arrays.stream(TimeInForce.values())
                        .filter(v -> v != TimeInForce.NULL_VAL)
                        .map(v -> (char) v.value()))
                .containsExactly('0', '1', '3', '4');
        assertThat(Scheme.ECDSA_SECP256K1_SHA256.value()).isEqualTo((short) 2);
    }

    private int encodeBatch() {
        OrderBatchEncoder encoder = new OrderBatchEncoder().wrapAndApplyHeader(buffer, 0, header);
        encoder.chainId(0x0102030405060708L)
                .number(0x1112131415161718L)
                .validUntilBlock(0x2122232425262728L)
                .sentTimeNs(0x3132333435363738L)
                .brokerId(0x41424344L)
                .keyId(0x5152)
                .session(0x6162)
                .scheme(Scheme.SM2_SM3)
                .reserved((short) 0)
                .timeToLive(0x7172);
        for (int i = 0; i < OrderBatchEncoder.previousLength(); i++) {
            encoder.previous(i, (short) (0xA0 + i));
        }
        encoder.ordersCount(1)
                .next()
                .clOrdId(1)
                .origClOrdId(0)
                .price(10_000)
                .quantity(100)
                .accountId(7)
                .instrumentId(9)
                .action(Action.NEW)
                .side(Side.BUY)
                .ordType(OrdType.LIMIT)
                .timeInForce(TimeInForce.DAY)
                .flags(0)
                .reserved(0);
        return MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength();
    }
}
