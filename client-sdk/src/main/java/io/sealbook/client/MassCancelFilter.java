package io.sealbook.client;

import io.sealbook.protocol.sbe.Side;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Which resting orders of the broker a mass cancel takes: those that pass each part that is present. Immutable.
 *
 * <pre>{@code
 * MassCancelFilter.ALL
 * MassCancelFilter.ALL.ofInstrument(7).ofSide(Side.BUY)
 * MassCancelFilter.ALL.ofOwnSession()
 * }</pre>
 *
 * @param instrumentId SecurityID(48), unsigned, not 0, which is no instrument; of all instruments without it
 * @param side Side(54); of both without it
 * @param accountId Account(1), unsigned, one of the broker's; of all without it
 * @param session of the broker in which the orders came, from 0; of all without it
 * @param isOfOwnSession whether the session is that of the client that submits the request; none is named then
 */
public record MassCancelFilter(
        OptionalInt instrumentId,
        Optional<Side> side,
        OptionalInt accountId,
        OptionalInt session,
        boolean isOfOwnSession) {
    /** All orders of the broker. */
    public static final MassCancelFilter ALL = new MassCancelFilter(
            OptionalInt.empty(), Optional.empty(), OptionalInt.empty(), OptionalInt.empty(), false);

    public MassCancelFilter {
        Objects.requireNonNull(instrumentId, "instrumentId");
        Objects.requireNonNull(accountId, "accountId");
        if (instrumentId.isPresent() && instrumentId.getAsInt() == 0) {
            throw new IllegalArgumentException("instrument 0, which means all in an entry; leave it out for all");
        }
        if (side.isPresent() && side.get() == Side.NULL_VAL) {
            throw new IllegalArgumentException("side " + side.get());
        }
        if (session.isPresent() && session.getAsInt() < 0) {
            throw new IllegalArgumentException("session " + session.getAsInt());
        }
        if (session.isPresent() && isOfOwnSession) {
            throw new IllegalArgumentException("session " + session.getAsInt() + ", and that of the client");
        }
    }

    /**
     * Returns this filter for the orders of one instrument.
     *
     * @throws IllegalArgumentException if the id is 0
     */
    public MassCancelFilter ofInstrument(int id) {
        return new MassCancelFilter(OptionalInt.of(id), side, accountId, session, isOfOwnSession);
    }

    /** Returns this filter for the orders of one side. */
    public MassCancelFilter ofSide(Side other) {
        return new MassCancelFilter(instrumentId, Optional.of(other), accountId, session, isOfOwnSession);
    }

    /** Returns this filter for the orders of one account. */
    public MassCancelFilter ofAccount(int id) {
        return new MassCancelFilter(instrumentId, side, OptionalInt.of(id), session, isOfOwnSession);
    }

    /**
     * Returns this filter for the orders that came in the session of the client that submits the request, whichever it
     * is. The client fills it in: {@link Order#massCancel} does not take such a filter.
     */
    public MassCancelFilter ofOwnSession() {
        return new MassCancelFilter(instrumentId, side, accountId, OptionalInt.empty(), true);
    }

    /**
     * Returns this filter for the orders that came in one session of the broker.
     *
     * @param other the broker's number of the session, as in {@code BrokerClient.firstPosition}, from 0; what
     *     {@code BrokerClientBuilder.session} takes is counted from the first session of the key instead
     */
    public MassCancelFilter ofSession(int other) {
        return new MassCancelFilter(instrumentId, side, accountId, OptionalInt.of(other), false);
    }
}
