package io.sealbook.access.role;

import io.sealbook.tls.role.Caller;
import io.sealbook.tls.role.Role;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.ToIntFunction;

/**
 * Who may make a call of one method.
 *
 * @param roles who may; empty means everyone, also a caller without a role
 * @param judge returns whether a caller of these roles may make a request; empty if any request
 */
public record CallRule(Set<Role> roles, Optional<BiPredicate<Caller, Object>> judge) {
    /** Everyone. */
    public static final CallRule PUBLIC = new CallRule(Set.of(), Optional.empty());

    public CallRule {
        roles = Set.copyOf(roles);
    }

    /** Returns the rule of a method that only callers of these roles may call. */
    public static CallRule only(Role... roles) {
        return new CallRule(Set.of(roles), Optional.empty());
    }

    /**
     * Returns the rule of a method that reads one broker's data: that broker, auditors and members.
     *
     * @param request type of the request
     * @param brokerOf returns the broker that a request names
     */
    public static <Q> CallRule ofBroker(Class<Q> request, ToIntFunction<Q> brokerOf) {
        return new CallRule(
                Set.of(Role.values()),
                Optional.of((caller, message) -> caller.reads(brokerOf.applyAsInt(request.cast(message)))));
    }

    /**
     * Returns the rule of a method in which one member acts: that member alone.
     *
     * @param request type of the request
     * @param nodeOf returns the member that a request is of
     */
    public static <Q> CallRule ofMember(Class<Q> request, ToIntFunction<Q> nodeOf) {
        return new CallRule(
                Set.of(Role.MEMBER),
                Optional.of((caller, message) -> caller.id() == nodeOf.applyAsInt(request.cast(message))));
    }

    boolean isPublic() {
        return roles.isEmpty();
    }

    boolean admits(Caller caller) {
        return roles.contains(caller.role());
    }

    boolean admits(Caller caller, Object request) {
        return judge.isEmpty() || judge.get().test(caller, request);
    }
}
