package io.sealbook.simulator.mutation;

import java.util.List;
import java.util.Optional;

/** Looks for what is wrong with the code as it is. */
public interface Finder {
    /**
     * Looks until something is found or the arguments are used up; prints a line now and then.
     *
     * @param arguments what is run
     * @return what is wrong; empty if nothing was found
     */
    Optional<String> find(List<String> arguments);
}
