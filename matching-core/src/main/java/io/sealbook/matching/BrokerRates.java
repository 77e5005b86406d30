package io.sealbook.matching;

import io.sealbook.membership.RateMeter;
import io.sealbook.membership.RateQuota;
import io.sealbook.protocol.sbe.OrderBatchDecoder.OrdersDecoder;
import io.sealbook.vocabulary.SignedBatch;
import java.util.Arrays;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * What brokers may have executed per second of block time, and how much of it each has used, by the broker's position.
 * A batch is charged as a whole or not at all.
 */
final class BrokerRates {
    private RateQuota[] quotas;
    private RateMeter[] meters = {};

    BrokerRates(List<BrokerConfig> brokers) {
        setBrokers(brokers);
    }

    /** Goes on with other quotas, and with further brokers at the end. */
    void setBrokers(List<BrokerConfig> brokers) {
        quotas = brokers.stream().map(BrokerConfig::rates).toArray(RateQuota[]::new);
        int before = meters.length;
        meters = Arrays.copyOf(meters, quotas.length);
        Arrays.setAll(meters, at -> at < before ? meters[at] : new RateMeter(RateMeter.ENGINE_BURST_NS));
    }

    /**
     * Charges a batch if it is within the quotas of its broker.
     *
     * @param broker its position in the configuration
     * @param buffer holds the batch
     * @param ordersAt offset of its first entry
     * @param count its entries
     * @param blockTimeNs of the block that holds it
     * @return whether new orders and replaces of the batch may be executed
     */
    boolean take(int broker, DirectBuffer buffer, int ordersAt, int count, long blockTimeNs) {
        RateQuota quota = quotas[broker];
        if (quota.isNone()) {
            return true;
        }
        int orders = limited(buffer, ordersAt, count);
        int bytes = SignedBatch.signedLength(count);
        if (meters[broker].waitNs(quota, orders, bytes, blockTimeNs) > 0) {
            return false;
        }
        meters[broker].charge(quota, orders, bytes, blockTimeNs);
        return true;
    }

    /** Returns the number of entries that are no cancel of any kind. */
    private static int limited(DirectBuffer buffer, int ordersAt, int count) {
        int limited = 0;
        for (int i = 0; i < count; i++) {
            int at = ordersAt + i * SignedBatch.ORDER_LENGTH;
            limited += Kind.isCancel(buffer.getByte(at + OrdersDecoder.actionEncodingOffset())) ? 0 : 1;
        }
        return limited;
    }

    RateMeter meter(int broker) {
        return meters[broker];
    }
}
