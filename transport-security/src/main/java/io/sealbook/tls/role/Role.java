package io.sealbook.tls.role;

/** What a program is to the platform, proven by a key of the genesis file. Public is the caller without a statement. */
public enum Role {
    /** Sends orders, and reads what is its own. */
    BROKER(1),
    /** Reads everything. */
    AUDITOR(2),
    /** A member's own programs; a member executes all orders, and reads everything. */
    MEMBER(3);

    private final int code;

    Role(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    static Role of(int code) {
        for (Role role : values()) {
            if (role.code == code) {
                return role;
            }
        }
        throw new IllegalArgumentException("role " + code);
    }
}
