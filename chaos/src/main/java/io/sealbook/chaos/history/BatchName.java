package io.sealbook.chaos.history;

/**
 * How a broker names a batch.
 *
 * @param brokerId of the broker
 * @param session one of the broker's
 * @param number in the session, from 1
 */
public record BatchName(int brokerId, int session, long number) {
    @Override
    public String toString() {
        return "batch " + number + " of session " + session + " of broker " + brokerId;
    }
}
