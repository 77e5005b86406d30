package io.sealbook.access.rate;

import io.sealbook.tls.role.Caller;
import java.net.InetAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How much each holder may do per second at one port. The holder is the caller whose role is proven; without a proven
 * role it is the certificate, and the address counts too, for all certificates without a role that come from it;
 * without TLS it is the address alone. So a caller that proves its role shares its rates with no other, wherever it
 * comes from.
 *
 * <p>Callers are as many as the membership has. Of certificates and addresses at most {@value #STRANGERS_MAX} have
 * allowances of their own at a time; those that have not been used for two seconds give way, and beyond that all
 * further ones share one. Given time only. Any thread; no method waits.
 */
public final class PortRates {
    static final int STRANGERS_MAX = 2_048;

    /** Certificates that may use one address at their full rates. */
    static final int ADDRESS_FACTOR = 4;

    private static final long SWEEP_PERIOD_NS = 1_000_000_000;

    private final Rates rates;
    private final Rates ratesOfAddress;
    private final Map<Caller, Allowance> callers = new ConcurrentHashMap<>();
    private final Map<Object, Allowance> strangers = new ConcurrentHashMap<>();
    private volatile Allowance rest;
    private volatile long sweptNs;

    /**
     * Makes a quota that no holder has used.
     *
     * @param rates of one holder
     * @param hasTls whether holders have certificates, and share addresses
     */
    public PortRates(Rates rates, boolean hasTls) {
        this.rates = rates;
        this.ratesOfAddress = hasTls ? rates.times(ADDRESS_FACTOR) : rates;
    }

    /**
     * Returns what a holder may do. Equal objects are one holder.
     *
     * @param holder caller, certificate or address
     * @param nowNs the time
     */
    public Allowance of(Object holder, long nowNs) {
        if (holder instanceof Caller caller) {
            Allowance known = callers.get(caller);
            return known != null ? known : callers.computeIfAbsent(caller, added -> new Allowance(added, rates, nowNs));
        }
        Allowance known = strangers.get(holder);
        return known != null ? known : add(holder, nowNs);
    }

    /** The lock bounds the number of those that are added. */
    private synchronized Allowance add(Object holder, long nowNs) {
        if (strangers.size() >= STRANGERS_MAX && (rest == null || nowNs - sweptNs >= SWEEP_PERIOD_NS)) {
            sweptNs = nowNs;
            strangers.values().removeIf(allowance -> allowance.forgetIfUntouched(nowNs));
            rest = rest == null ? new Allowance("the rest of those without a role", rates, nowNs) : rest;
        }
        if (strangers.size() >= STRANGERS_MAX) {
            return rest;
        }
        return strangers.computeIfAbsent(
                holder, added -> new Allowance(added, added instanceof InetAddress ? ratesOfAddress : rates, nowNs));
    }

    /**
     * Returns what counts for those who come from an address.
     *
     * @param holder caller, certificate, or the address where there is no TLS
     * @param address from which it comes
     * @param nowNs the time
     */
    public Share share(Object holder, InetAddress address, long nowNs) {
        boolean isAlone = holder instanceof Caller || holder instanceof InetAddress;
        return new Share(new Part(holder, nowNs), isAlone ? null : new Part(address, nowNs));
    }

    /**
     * Counts one call or request and its bytes.
     *
     * @param holder caller, certificate or address
     * @param bytes of the call, at least 0
     * @param nowNs the time
     * @return why it is refused; empty if it is let through
     */
    public Optional<RateRefusal> take(Object holder, long bytes, long nowNs) {
        Allowance allowance = of(holder, nowNs);
        Optional<RateRefusal> refusal = allowance.takeCall(nowNs);
        return refusal.isPresent() ? refusal : allowance.takeBytes(bytes, nowNs);
    }

    /** The allowance of a holder, for longer than that of a stranger is remembered. Any thread. */
    private final class Part {
        private final Object holder;
        private volatile Allowance allowance;

        Part(Object holder, long nowNs) {
            this.holder = holder;
            this.allowance = of(holder, nowNs);
        }

        Allowance at(long nowNs) {
            Allowance known = allowance;
            if (known.isForgotten()) {
                known = of(holder, nowNs);
                allowance = known;
            }
            return known;
        }
    }

    /** What counts for one connection or call. Any thread; what is let through costs no allocation. */
    public static final class Share {
        private final Part holder;
        /** Null if the holder shares its address's rates with no other. */
        private final Part address;

        private Share(Part holder, Part address) {
            this.holder = holder;
            this.address = address;
        }

        /**
         * Counts one call, request or message.
         *
         * @param nowNs the time
         * @return why it is refused; empty if it is let through
         */
        public Optional<RateRefusal> takeCall(long nowNs) {
            Optional<RateRefusal> refusal = holder.at(nowNs).takeCall(nowNs);
            return refusal.isPresent() || address == null
                    ? refusal
                    : address.at(nowNs).takeCall(nowNs);
        }

        /**
         * Counts bytes that have come.
         *
         * @param count of the bytes, at least 0; more than two seconds' worth count as two seconds' worth
         * @param nowNs the time
         * @return why they are refused; empty if they are let through
         */
        public Optional<RateRefusal> takeBytes(long count, long nowNs) {
            Optional<RateRefusal> refusal = holder.at(nowNs).takeBytes(count, nowNs);
            return refusal.isPresent() || address == null
                    ? refusal
                    : address.at(nowNs).takeBytes(count, nowNs);
        }
    }
}
