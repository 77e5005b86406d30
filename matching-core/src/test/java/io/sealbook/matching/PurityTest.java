package io.sealbook.matching;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.sealbook.purity.Purity;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The core is a function of its inputs: what could make two replicas differ is not on its class path. */
@AnalyzeClasses(packages = "io.sealbook.matching", importOptions = ImportOption.DoNotIncludeTests.class)
class PurityTest {
    private static final Set<String> FLOATING_POINT = Set.of("float", "double", "java.lang.Float", "java.lang.Double");

    /** Everything the core may know; java.util is named class by class, because some of it has an order of its own. */
    private static final Set<String> JAVA_UTIL = Set.of(
            "java.util.ArrayList",
            "java.util.Arrays",
            "java.util.Collection",
            "java.util.Iterator",
            "java.util.List",
            "java.util.Optional",
            // Configuration is checked with a set that is only asked, never iterated.
            "java.util.Set",
            "java.util.HashSet",
            "java.util.TreeMap");

    private static final Set<String> JAVA_IO = Set.of(
            "java.io.IOException",
            "java.io.UncheckedIOException",
            "java.io.InputStream",
            "java.io.OutputStream",
            "java.io.Serializable");

    @ArchTest
    static final ArchRule shouldDependOnWhatIsDeterministic = noClasses()
            .should()
            .dependOnClassesThat(new DescribedPredicate<>("are not on the core's list") {
                @Override
                public boolean test(JavaClass type) {
                    return !isPermitted(type.getBaseComponentType());
                }
            });

    @ArchTest
    static final ArchRule shouldUseNoFloatingPoint = classes().should(new ArchCondition<>("use integers only") {
        @Override
        public void check(JavaClass type, ConditionEvents events) {
            for (JavaField field : type.getFields()) {
                if (isFloatingPoint(field.getRawType())) {
                    events.add(SimpleConditionEvent.violated(field, field.getFullName()));
                }
            }
            for (JavaCodeUnit unit : type.getCodeUnits()) {
                Stream.concat(unit.getRawParameterTypes().stream(), Stream.of(unit.getRawReturnType()))
                        .filter(PurityTest::isFloatingPoint)
                        .forEach(used -> events.add(SimpleConditionEvent.violated(unit, unit.getFullName())));
            }
        }
    });

    @ArchTest
    static final ArchRule shouldReadNoClock = Purity.readsNoClock();

    @ArchTest
    static final ArchRule shouldDrawNoRandomNumbers = Purity.drawsNoRandomNumbers();

    @ArchTest
    static final ArchRule shouldHoldNoThreadFileSocketOrLogger = Purity.holdsNoThreadFileSocketOrLogger();

    @ArchTest
    static final ArchRule shouldAskNoObjectForItsHash = noClasses().should().callMethod(Object.class, "hashCode");

    private static boolean isPermitted(JavaClass type) {
        String name = type.getName();
        String pack = type.getPackageName();
        if (type.isPrimitive() || pack.startsWith("io.sealbook.")) {
            return List.of(
                                    "io.sealbook.matching",
                                    "io.sealbook.matching.book",
                                    "io.sealbook.matching.chain",
                                    "io.sealbook.membership",
                                    "io.sealbook.protocol",
                                    "io.sealbook.vocabulary",
                                    "io.sealbook.vocabulary.result")
                            .contains(pack)
                    || pack.startsWith("io.sealbook.protocol.")
                    || type.isPrimitive();
        }
        return switch (pack) {
            case "java.util" -> JAVA_UTIL.contains(name);
            case "java.io" -> JAVA_IO.contains(name);
            case "java.lang", "java.lang.invoke", "java.lang.runtime", "java.util.function", "java.util.stream" -> true;
            case "java.nio" ->
                Set.of("java.nio.ByteBuffer", "java.nio.ByteOrder").contains(name);
            case "java.nio.charset" -> true;
            case "java.security" ->
                Set.of(
                                "java.security.MessageDigest",
                                "java.security.DigestException",
                                "java.security.NoSuchAlgorithmException")
                        .contains(name);
            case "org.agrona" ->
                Set.of("org.agrona.DirectBuffer", "org.agrona.MutableDirectBuffer")
                        .contains(name);
            case "org.agrona.concurrent" -> name.equals("org.agrona.concurrent.UnsafeBuffer");
            default -> false;
        };
    }

    private static boolean isFloatingPoint(JavaClass type) {
        return FLOATING_POINT.contains(type.getBaseComponentType().getName());
    }
}
