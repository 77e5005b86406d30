package io.sealbook.matching.book;

/**
 * One order's fields as the books keep them, on the way into a slot or out of it. A holder that is reused for every
 * order, so that none is allocated; therefore its fields are open. One thread.
 */
public class BookOrder {
    /** Given by the exchange. */
    public long orderId;
    /** Given by the broker; unique among the broker's live orders. */
    public long clOrdId;
    /** In ticks, within the book's {@link PriceRange}. */
    public long price;
    /** As ordered, above 0. */
    public long quantity;
    /** Quantity that may still be filled, 0..quantity. */
    public long leaves;
    /** Sum of price times quantity over its fills. */
    public long cumValue;
    /** Position of the instrument in the configuration. */
    public int book;
    /** Position of the broker in the configuration. */
    public int broker;
    /** Session of its broker in which the order came, 0..1,023; a replace in another one does not change it. */
    public int session;

    public int account;
    /** {@link OrderStore#SELL}, {@link OrderStore#GOOD_TILL_CANCEL} and {@link OrderStore#REPLACED} as bits. */
    public int attributes;

    /** Returns 0 for a buy order, 1 for a sell order. */
    public final int side() {
        return attributes & OrderStore.SELL;
    }
}
