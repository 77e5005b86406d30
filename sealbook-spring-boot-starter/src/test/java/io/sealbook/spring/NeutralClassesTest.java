package io.sealbook.spring;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What is compiled here runs with the bundle, in which gRPC and protobuf have other names. */
@AnalyzeClasses(packages = "io.sealbook.spring", importOptions = ImportOption.DoNotIncludeTests.class)
class NeutralClassesTest {
    @ArchTest
    static final ArchRule noTypeThatTheBundleMoves = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.grpc..", "com.google..", "org.bouncycastle..", "io.sealbook.shaded..");
}
