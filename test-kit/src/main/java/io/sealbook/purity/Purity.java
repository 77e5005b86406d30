package io.sealbook.purity;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Random;
import java.util.WeakHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;

/**
 * What a function of its inputs must not use: the rules that all pure modules share. Each module adds what it may
 * depend on. Stateless.
 */
public final class Purity {
    private Purity() {}

    /** Returns the rule against everything that acts: files, sockets, threads, locks and loggers. */
    public static ArchRule holdsNoThreadFileSocketOrLogger() {
        return noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "java.net..",
                        "java.nio.file..",
                        "java.nio.channels..",
                        "java.util.concurrent.locks..",
                        "java.util.logging..",
                        "org.slf4j..")
                .orShould()
                .dependOnClassesThat()
                .belongToAnyOf(Runtime.class, Process.class, ProcessHandle.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Thread.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Executor.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Future.class);
    }

    /** Returns the rule against every source of time. */
    public static ArchRule readsNoClock() {
        return noClasses()
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Clock.class)
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching("org\\.agrona\\.concurrent\\..*Clock");
    }

    /** Returns the rule against random numbers and against settings that differ between processes. */
    public static ArchRule drawsNoRandomNumbers() {
        return noClasses()
                .should()
                .dependOnClassesThat()
                .areAssignableTo(Random.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(RandomGenerator.class)
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .callMethod(System.class, "identityHashCode", Object.class)
                .orShould()
                .callMethod(System.class, "getProperty", String.class)
                .orShould()
                .callMethod(System.class, "getenv", String.class);
    }

    /** Returns the rule against collections whose order depends on hashes. */
    public static ArchRule iteratesInNoHashOrder() {
        return noClasses()
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(HashMap.class, HashSet.class, IdentityHashMap.class, WeakHashMap.class);
    }
}
