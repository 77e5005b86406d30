package io.sealbook.matching;

import io.sealbook.protocol.sbe.Action;
import java.math.BigInteger;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The rates of brokers in the words of {@code doc/matching-rules.md}: what each has to pay for yet, in ns of quota. */
final class ReferenceRates {
    private static final Set<Action> FREE = EnumSet.of(Action.CANCEL, Action.MASS_CANCEL, Action.CANCEL_AFTER);
    private static final BigInteger SECOND = BigInteger.valueOf(1_000_000_000);
    private static final BigInteger BURST = SECOND.multiply(BigInteger.TEN);

    /** What a broker owes, at a time. */
    private static final class Debt {
        private BigInteger owed = BigInteger.ZERO;
        private long atNs;

        BigInteger at(long timeNs) {
            owed = owed.subtract(BigInteger.valueOf(timeNs - atNs)).max(BigInteger.ZERO);
            atNs = timeNs;
            return owed;
        }
    }

    private final Map<Integer, Debt> orderDebts = new HashMap<>();
    private final Map<Integer, Debt> byteDebts = new HashMap<>();

    boolean take(BrokerConfig broker, Batch batch, long timeNs) {
        long orders = batch.requests().stream()
                .filter(request -> !FREE.contains(request.action()))
                .count();
        BigInteger orderCost = cost(orders, broker.rates().ordersPerSecondMax());
        BigInteger byteCost = cost(batch.encode().length + 65, broker.rates().bytesPerSecondMax());
        Debt orderDebt = orderDebts.computeIfAbsent(broker.brokerId(), id -> new Debt());
        Debt byteDebt = byteDebts.computeIfAbsent(broker.brokerId(), id -> new Debt());
        if (orders == 0) {
            BigInteger most = byteDebt.at(timeNs).max(BURST.add(BURST));
            byteDebt.owed = byteDebt.owed.add(byteCost).min(most);
            return true;
        }
        if (!fits(orderDebt.at(timeNs), orderCost) || !fits(byteDebt.at(timeNs), byteCost)) {
            return false;
        }
        orderDebt.owed = orderDebt.owed.add(orderCost);
        byteDebt.owed = byteDebt.owed.add(byteCost);
        return true;
    }

    private static boolean fits(BigInteger debt, BigInteger cost) {
        return debt.signum() == 0 || cost.signum() == 0 || debt.add(cost).compareTo(BURST) <= 0;
    }

    private static BigInteger cost(long units, long perSecond) {
        if (perSecond == 0) {
            return BigInteger.ZERO;
        }
        BigInteger[] parts =
                BigInteger.valueOf(units).multiply(SECOND).divideAndRemainder(BigInteger.valueOf(perSecond));
        return parts[1].signum() == 0 ? parts[0] : parts[0].add(BigInteger.ONE);
    }
}
