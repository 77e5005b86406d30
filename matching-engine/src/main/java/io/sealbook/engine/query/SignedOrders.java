package io.sealbook.engine.query;

import java.util.Optional;

/** Orders as their brokers signed them, for those that neither memory nor database has. */
public interface SignedOrders {
    /**
     * Returns the newest entry of a broker with this ClOrdID.
     *
     * @param brokerId unsigned
     * @param clOrdId unsigned
     */
    Optional<ReportedOrder> find(long brokerId, long clOrdId);
}
