package io.sealbook.crypto;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.sealbook.crypto", importOptions = ImportOption.DoNotIncludeTests.class)
class LayeringTest {
    @ArchTest
    static final ArchRule shouldDependOnVocabularyBouncyCastleAndTheJdkOnly = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("io.sealbook.crypto..", "io.sealbook.vocabulary..", "org.bouncycastle..", "java..");

    /** Either curve is several times slower there. */
    @ArchTest
    static final ArchRule shouldNotUseGenericCurves = noClasses()
            .should()
            .dependOnClassesThat()
            .haveNameMatching(
                    "org\\.bouncycastle\\.asn1\\.(gm\\.GMNamedCurves|sec\\.SECNamedCurves|x9\\.ECNamedCurveTable)");

    @ArchTest
    static final ArchRule shouldNotLeaveNoncesToChance = noClasses()
            .that()
            .haveSimpleNameEndingWith("Signer")
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.security.SecureRandom");
}
