package io.github.hedge4j;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaConstructor.CONSTRUCTOR_NAME;
import static com.tngtech.archunit.core.domain.JavaModifier.PUBLIC;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.ZonedDateTime;
import java.time.temporal.Temporal;
import java.util.List;
import java.util.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.NullMarked;

/** The arrows between the packages, and the two things that only one of them may do: tell the time and make threads. */
@AnalyzeClasses(packages = "io.github.hedge4j", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String ROOT = "io.github.hedge4j";
    private static final String TIME = ROOT + ".time..";
    private static final String DELAY = ROOT + ".delay..";
    private static final String BUDGET = ROOT + ".budget..";
    private static final String FUTURE = ROOT + ".future..";
    private static final String EVENT = ROOT + ".event..";
    private static final String DECORATORS = ROOT + ".decorators..";
    private static final String VAVR = ROOT + ".vavr..";

    private static final String JDK = "java..";
    private static final String JSPECIFY = "org.jspecify.annotations..";
    private static final String SLF4J = "org.slf4j..";
    private static final String RESILIENCE4J = "io.github.resilience4j..";
    private static final String RESILIENCE4J_CORE = "io.github.resilience4j.core..";

    @ArchTest
    static final ArchRule timeKnowsOnlyTheJdk = classes()
            .that()
            .resideInAPackage(TIME)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(TIME, JDK, JSPECIFY);

    @ArchTest
    static final ArchRule delayKnowsOnlyTime = classes()
            .that()
            .resideInAPackage(DELAY)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(DELAY, TIME, JDK, JSPECIFY)
            .because("it speaks in attempt numbers and nanoseconds, not in the engine's words");

    @ArchTest
    static final ArchRule budgetKnowsOnlyTime = classes()
            .that()
            .resideInAPackage(BUDGET)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(BUDGET, TIME, JDK, JSPECIFY)
            .because("it speaks in tokens and nanoseconds, not in the engine's words");

    @ArchTest
    static final ArchRule eventsCarryOnlyValues = classes()
            .that()
            .resideInAPackage(EVENT)
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(EVENT, JDK, JSPECIFY, RESILIENCE4J_CORE)
                    .or(resideInAPackage(ROOT).and(describe("are records or enums", ArchitectureTest::isValue))))
            .because("an event outlives its call and must hold nothing of the engine");

    @ArchTest
    static final ArchRule futuresKnowNothingOfHedging = classes()
            .that()
            .resideInAPackage(FUTURE)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(FUTURE, JDK, JSPECIFY, SLF4J);

    @ArchTest
    static final ArchRule hedgingNeedsNoOptionalDependency = classes()
            .that()
            .resideOutsideOfPackages(DECORATORS, VAVR)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(ROOT, TIME, DELAY, BUDGET, FUTURE, EVENT, JDK, JSPECIFY, SLF4J, RESILIENCE4J_CORE)
            .because("vavr and the other Resilience4j modules are the business of decorators and vavr alone");

    @ArchTest
    static final ArchRule decoratorsUseTheApiAndResilience4j = classes()
            .that()
            .resideInAPackage(DECORATORS)
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(DECORATORS, FUTURE, JDK, JSPECIFY, SLF4J, RESILIENCE4J)
                    .or(resideInAPackage(ROOT)
                            .and(describe(
                                    "are public", type -> type.getModifiers().contains(PUBLIC)))))
            .because("a chain is made of what every user could make one of");

    @ArchTest
    static final ArchRule vavrAdaptsTheRoot = classes()
            .that()
            .resideInAPackage(VAVR)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(VAVR, ROOT, JDK, JSPECIFY, "io.vavr..");

    @ArchTest
    static final ArchRule onlyTimeReadsClocks = noClasses()
            .that()
            .resideOutsideOfPackage(TIME)
            .should()
            .accessTargetWhere(describe("it reads a clock or waits for one", ArchitectureTest::readsClock))
            .because("whatever depends on time is tested on a virtual timer");

    @ArchTest
    static final ArchRule onlyTimeMakesThreads = noClasses()
            .that()
            .resideOutsideOfPackage(TIME)
            .should()
            .accessTargetWhere(describe("it makes threads", ArchitectureTest::makesThreads))
            .because("a thousand hedges share one timer thread and the executors that their users chose");

    @ArchTest
    static final ArchRule nullDoesNotOccur = classes()
            .should(ArchCondition.from(describe(
                    "live in a @NullMarked package", type -> type.getPackage().isAnnotatedWith(NullMarked.class))));

    private static boolean isValue(JavaClass type) {
        return type.isRecord() || type.isEnum();
    }

    private static boolean readsClock(JavaAccess<?> access) {
        return calls(access, System.class, "nanoTime", "currentTimeMillis")
                || calls(access, Clock.class, "system", "systemUTC", "systemDefaultZone")
                || calls(access, Thread.class, "sleep")
                || calls(access, CompletableFuture.class, "orTimeout", "completeOnTimeout", "delayedExecutor")
                || (calls(access, Temporal.class, "now") && !datesAnEvent(access));
    }

    /** The moment at which an event was created is for people: nothing is computed from it. */
    private static boolean datesAnEvent(JavaAccess<?> access) {
        return calls(access, ZonedDateTime.class, "now")
                && resideInAPackage(EVENT).test(access.getOriginOwner());
    }

    private static boolean makesThreads(JavaAccess<?> access) {
        return access.getTargetOwner().isEquivalentTo(Executors.class)
                || calls(access, Thread.class, CONSTRUCTOR_NAME)
                || calls(access, ExecutorService.class, CONSTRUCTOR_NAME)
                || calls(access, Timer.class, CONSTRUCTOR_NAME);
    }

    private static boolean calls(JavaAccess<?> access, Class<?> owner, String... names) {
        return access.getTargetOwner().isAssignableTo(owner) && List.of(names).contains(access.getName());
    }
}
