package io.github.hedge4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.junit.jupiter.api.Named.named;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.resilience4j.core.ConfigurationNotFoundException;
import io.github.resilience4j.core.registry.EntryAddedEvent;
import io.github.resilience4j.core.registry.EntryRemovedEvent;
import io.github.resilience4j.core.registry.EntryReplacedEvent;
import io.github.resilience4j.core.registry.InMemoryRegistryStore;
import io.github.resilience4j.core.registry.RegistryEventConsumer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class HedgeRegistryTest {

    private static final HedgeConfig THREE = HedgeConfig.custom().maxAttempts(3).build();
    private static final HedgeConfig FOUR = HedgeConfig.custom().maxAttempts(4).build();
    private static final Map<String, String> REGION = Map.of("region", "eu");
    private static final Map<String, String> ZONE = Map.of("zone", "a");

    private final Entries trail = new Entries();

    @ParameterizedTest
    @MethodSource
    void everyFactoryTakesWhatItSays(
            Function<RegistryEventConsumer<Hedge>, HedgeRegistry> factory,
            HedgeConfig defaultConfig,
            Map<String, String> tags,
            boolean listens) {
        var registry = factory.apply(trail);

        registry.hedge("backend");

        assertThat(registry.getDefaultConfig()).isEqualTo(defaultConfig);
        assertThat(registry.getTags()).isEqualTo(tags);
        assertThat(trail).isEqualTo(listens ? List.of("added backend") : List.of());
    }

    static Stream<Arguments> everyFactoryTakesWhatItSays() {
        var defaults = HedgeConfig.ofDefaults();
        return Stream.of(
                factory("ofDefaults", c -> HedgeRegistry.ofDefaults(), defaults, Map.of(), false),
                factory("config", c -> HedgeRegistry.of(THREE), THREE, Map.of(), false),
                factory("config, tags", c -> HedgeRegistry.of(THREE, REGION), THREE, REGION, false),
                factory("config, consumer", c -> HedgeRegistry.of(THREE, c), THREE, Map.of(), true),
                factory("config, consumers", c -> HedgeRegistry.of(THREE, List.of(c)), THREE, Map.of(), true),
                factory("configs", c -> HedgeRegistry.of(Map.of("default", FOUR)), FOUR, Map.of(), false),
                factory("no configs", c -> HedgeRegistry.of(Map.of()), defaults, Map.of(), false),
                factory("configs, tags", c -> HedgeRegistry.of(Map.of("x", FOUR), REGION), defaults, REGION, false),
                factory("configs, consumer", c -> HedgeRegistry.of(Map.of("x", FOUR), c), defaults, Map.of(), true),
                factory(
                        "configs, consumers",
                        c -> HedgeRegistry.of(Map.of("x", FOUR), List.of(c)),
                        defaults,
                        Map.of(),
                        true),
                factory(
                        "configs, consumer, tags",
                        c -> HedgeRegistry.of(Map.of("default", FOUR), c, REGION),
                        FOUR,
                        REGION,
                        true),
                factory(
                        "custom",
                        c -> HedgeRegistry.custom()
                                .withHedgeConfig(THREE)
                                .withTags(REGION)
                                .addRegistryEventConsumer(c)
                                .build(),
                        THREE,
                        REGION,
                        true));
    }

    private static Arguments factory(
            String name,
            Function<RegistryEventConsumer<Hedge>, HedgeRegistry> factory,
            HedgeConfig defaultConfig,
            Map<String, String> tags,
            boolean listens) {
        return arguments(named(name, factory), defaultConfig, tags, listens);
    }

    @ParameterizedTest
    @MethodSource
    void everyWayToAskMakesTheHedgeOnce(
            BiFunction<HedgeRegistry, String, Hedge> ask, HedgeConfig config, Map<String, String> tags) {
        var registry = HedgeRegistry.custom()
                .withHedgeConfig(THREE)
                .addHedgeConfig("four", FOUR)
                .withTags(REGION)
                .build();

        var hedge = ask.apply(registry, "backend");

        assertThat(hedge.getName()).isEqualTo("backend");
        assertThat(hedge.getHedgeConfig()).isEqualTo(config);
        assertThat(hedge.getTags()).isEqualTo(tags);
        assertThat(ask.apply(registry, "backend")).isSameAs(hedge);
        assertThat(registry.hedge("backend")).isSameAs(hedge);
    }

    static Stream<Arguments> everyWayToAskMakesTheHedgeOnce() {
        var both = Map.of("region", "eu", "zone", "a");
        return Stream.of(
                ask("name", (registry, name) -> registry.hedge(name), THREE, REGION),
                ask("tags", (registry, name) -> registry.hedge(name, ZONE), THREE, both),
                ask("config", (registry, name) -> registry.hedge(name, FOUR), FOUR, REGION),
                ask("config, tags", (registry, name) -> registry.hedge(name, FOUR, ZONE), FOUR, both),
                ask("supplier", (registry, name) -> registry.hedge(name, () -> FOUR), FOUR, REGION),
                ask("supplier, tags", (registry, name) -> registry.hedge(name, () -> FOUR, ZONE), FOUR, both),
                ask("config name", (registry, name) -> registry.hedge(name, "four"), FOUR, REGION),
                ask("config name, tags", (registry, name) -> registry.hedge(name, "four", ZONE), FOUR, both),
                ask("the default's name", (registry, name) -> registry.hedge(name, "default"), THREE, REGION));
    }

    private static Arguments ask(
            String name, BiFunction<HedgeRegistry, String, Hedge> ask, HedgeConfig config, Map<String, String> tags) {
        return arguments(named(name, ask), config, tags);
    }

    @Test
    void tagsOfAHedgeWinOverThoseOfItsRegistry() {
        var registry = HedgeRegistry.of(THREE, Map.of("region", "eu", "zone", "a"));

        var hedge = registry.hedge("backend", Map.of("region", "us"));

        assertThat(hedge.getTags()).isEqualTo(Map.of("region", "us", "zone", "a"));
    }

    @Test
    void tagsAreCopied() {
        var registryTags = new HashMap<>(REGION);
        var hedgeTags = new HashMap<>(ZONE);
        var registry = HedgeRegistry.of(THREE, registryTags);
        var hedge = registry.hedge("backend", hedgeTags);

        registryTags.clear();
        hedgeTags.clear();

        assertThat(registry.getTags()).isEqualTo(REGION);
        assertThat(hedge.getTags())
                .isEqualTo(Map.of("region", "eu", "zone", "a"))
                .isUnmodifiable();
    }

    @Test
    void aHedgeThatExistsIsReturnedWhateverItIsAskedForWith() {
        var registry = HedgeRegistry.ofDefaults();
        var hedge = registry.hedge("backend");
        Supplier<HedgeConfig> untouched = () -> {
            throw new AssertionError("asked");
        };

        assertThat(registry.hedge("backend", untouched)).isSameAs(hedge);
        assertThat(registry.hedge("backend", "no such configuration")).isSameAs(hedge);
        assertThat(registry.hedge("backend", THREE, ZONE)).isSameAs(hedge);
        assertThat(hedge.getTags()).isEmpty();
    }

    @Test
    void anUnknownConfigurationNameIsReportedAndMakesNothing() {
        var registry = HedgeRegistry.ofDefaults();

        assertThatExceptionOfType(ConfigurationNotFoundException.class)
                .isThrownBy(() -> registry.hedge("backend", "fast"))
                .withMessage("Configuration with name 'fast' does not exist");
        assertThat(registry.getAllHedges()).isEmpty();
    }

    @Test
    void configurationsCanBeAddedAndRemovedLater() {
        var registry = HedgeRegistry.ofDefaults();

        registry.addConfiguration("four", FOUR);

        assertThat(registry.getConfiguration("four")).contains(FOUR);
        assertThat(registry.hedge("backend", "four").getHedgeConfig()).isSameAs(FOUR);
        assertThat(registry.removeConfiguration("four")).isSameAs(FOUR);
        assertThat(registry.getConfiguration("four")).isEmpty();
    }

    @Test
    void allHedgesAreACopyOfThoseThere() {
        var registry = HedgeRegistry.ofDefaults();
        var one = registry.hedge("one");
        var other = registry.hedge("other");

        var all = registry.getAllHedges();
        registry.hedge("later");

        assertThat(all).containsExactlyInAnyOrder(one, other).isUnmodifiable();
    }

    @Test
    void hedgesAreFoundRemovedAndReplaced() {
        var registry = HedgeRegistry.of(THREE, trail);
        var hedge = registry.hedge("backend");
        var replacement = Hedge.ofDefaults("backend");

        assertThat(registry.find("backend")).containsSame(hedge);
        assertThat(registry.replace("backend", replacement)).containsSame(hedge);
        assertThat(registry.hedge("backend")).isSameAs(replacement);
        assertThat(registry.remove("backend")).containsSame(replacement);
        assertThat(registry.find("backend")).isEmpty();
        assertThat(registry.remove("backend")).isEmpty();
        assertThat(trail).containsExactly("added backend", "replaced backend", "removed backend");
    }

    @Test
    void listenersCanBeAddedLater() {
        var registry = HedgeRegistry.ofDefaults();
        registry.getEventPublisher().onEntryAdded(trail::onEntryAddedEvent);

        registry.hedge("backend");
        registry.hedge("backend");

        assertThat(trail).containsExactly("added backend");
    }

    @Test
    void hedgesAreKeptInTheGivenStore() {
        var store = new InMemoryRegistryStore<Hedge>();
        var registry = HedgeRegistry.custom().withRegistryStore(store).build();

        var hedge = registry.hedge("backend");

        assertThat(store.values()).containsExactly(hedge);
        store.remove("backend");
        assertThat(registry.getAllHedges()).isEmpty();
        assertThat(registry.hedge("backend")).isNotSameAs(hedge);
    }

    @Test
    void hedgesOfOneConfigurationShareNoBudget() {
        var registry = HedgeRegistry.ofDefaults();

        assertThat(registry.hedge("one").getMetrics().getAvailableBudget()).isEqualTo(1);
        assertThat(registry.hedge("other").getMetrics().getAvailableBudget()).isEqualTo(1);
    }

    @Test
    void theNameOfTheDefaultConfigurationIsReserved() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HedgeRegistry.custom().addHedgeConfig("default", THREE))
                .withMessage("configName must be other than that of the default, but was default");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HedgeRegistry.ofDefaults().addConfiguration("default", THREE));
    }

    @ParameterizedTest
    @MethodSource
    void nullIsRefused(ThrowingCallable use, String message) {
        assertThatNullPointerException().isThrownBy(use).withMessage(message);
    }

    static Stream<Arguments> nullIsRefused() {
        var registry = HedgeRegistry.ofDefaults();
        var builder = HedgeRegistry.custom();
        var nullConfig = new HashMap<String, HedgeConfig>();
        nullConfig.put("fast", null);
        return Stream.of(
                refusal(() -> HedgeRegistry.of((HedgeConfig) null), "defaultConfig must not be null"),
                refusal(() -> HedgeRegistry.of((Map<String, HedgeConfig>) null), "configs must not be null"),
                refusal(() -> HedgeRegistry.of(nullConfig), "config must not be null"),
                refusal(() -> builder.withTags(null), "tags must not be null"),
                refusal(() -> builder.withRegistryStore(null), "registryStore must not be null"),
                refusal(() -> builder.addHedgeConfig(null, THREE), "configName must not be null"),
                refusal(() -> builder.addRegistryEventConsumer(null), "consumer must not be null"),
                refusal(
                        () -> HedgeRegistry.of(THREE, (List<RegistryEventConsumer<Hedge>>) null),
                        "consumers must not be null"),
                refusal(() -> registry.hedge(null), "name must not be null"),
                refusal(() -> registry.hedge("x", (HedgeConfig) null), "config must not be null"),
                refusal(() -> registry.hedge("x", (String) null), "configName must not be null"),
                refusal(() -> registry.hedge("x", (Map<String, String>) null), "tags must not be null"),
                refusal(() -> registry.hedge("x", (Supplier<HedgeConfig>) null), "configSupplier must not be null"),
                refusal(() -> registry.hedge("x", () -> null), "config must not be null"));
    }

    private static Arguments refusal(ThrowingCallable use, String message) {
        return arguments(named(message, use), message);
    }

    /** What happened to a registry's entries, in order. */
    private static final class Entries extends ArrayList<String> implements RegistryEventConsumer<Hedge> {

        private static final long serialVersionUID = 1L;

        @Override
        public void onEntryAddedEvent(EntryAddedEvent<Hedge> event) {
            add("added " + event.getAddedEntry().getName());
        }

        @Override
        public void onEntryRemovedEvent(EntryRemovedEvent<Hedge> event) {
            add("removed " + event.getRemovedEntry().getName());
        }

        @Override
        public void onEntryReplacedEvent(EntryReplacedEvent<Hedge> event) {
            add("replaced " + event.getNewEntry().getName());
        }
    }
}
