package io.sealbook.tls.role;

/**
 * A program whose role is known.
 *
 * @param role what it is
 * @param id of the broker, auditor or node in the genesis file
 */
public record Caller(Role role, int id) {
    /** Returns whether it reads what belongs to any broker. */
    public boolean readsEverything() {
        return role != Role.BROKER;
    }

    /** Returns whether it reads what belongs to a broker. */
    public boolean reads(int brokerId) {
        return readsEverything() || id == brokerId;
    }

    @Override
    public String toString() {
        return role.name().toLowerCase(java.util.Locale.ROOT) + " " + Integer.toUnsignedString(id);
    }
}
