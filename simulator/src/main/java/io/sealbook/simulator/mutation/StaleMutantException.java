package io.sealbook.simulator.mutation;

/** A mutant does not fit the source any more: the code under it has changed. The message says how to mend it. */
public final class StaleMutantException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    StaleMutantException(Mutant mutant, String fact) {
        super(mutant.place() + ": mutant " + mutant.name() + " is stale: " + fact
                + ". It plants this mistake: " + mutant.intent()
                + " Put the lines that hold the rule now after '-', as few as occur once in the file, and after '+' the"
                + " same with the mistake; delete the entry if the rule is gone");
    }
}
