package io.sealbook.matching;

/** What a broker may do. */
public enum BrokerStatus {
    /** It may trade. */
    ACTIVE,
    /** It may cancel its orders; new orders and replaces are refused with BROKER_SUSPENDED. */
    SUSPENDED,
    /** Its live orders are cancelled, and every entry is refused with BROKER_REMOVED. */
    REMOVED
}
