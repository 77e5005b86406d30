package io.sealbook.matching;

import java.util.List;

/** Which accounts each broker may trade for. */
final class Accounts {
    /** By broker position; null where every account is permitted. */
    private final IdIndex[] permitted;

    Accounts(List<BrokerConfig> brokers) {
        this.permitted = new IdIndex[brokers.size()];
        for (int broker = 0; broker < permitted.length; broker++) {
            List<Integer> accountIds = brokers.get(broker).accountIds();
            if (!accountIds.isEmpty()) {
                permitted[broker] = new IdIndex(accountIds.stream()
                        .mapToInt(Integer::intValue)
                        .distinct()
                        .toArray());
            }
        }
    }

    boolean isPermitted(int broker, int accountId) {
        IdIndex accounts = permitted[broker];
        return accounts == null || accounts.position(accountId) != IdIndex.MISSING;
    }
}
