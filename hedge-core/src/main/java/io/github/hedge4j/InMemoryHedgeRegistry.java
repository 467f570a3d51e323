package io.github.hedge4j;

import io.github.resilience4j.core.ConfigurationNotFoundException;
import io.github.resilience4j.core.RegistryStore;
import io.github.resilience4j.core.registry.AbstractRegistry;
import io.github.resilience4j.core.registry.RegistryEventConsumer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A registry over a store. Keeps its own reference to the store and leaves the superclass's fields alone, because their types differ
 * between versions of Resilience4j and would not link with another one.
 */
final class InMemoryHedgeRegistry extends AbstractRegistry<Hedge, HedgeConfig> implements HedgeRegistry {

    private final RegistryStore<Hedge> store;

    InMemoryHedgeRegistry(
            HedgeConfig defaultConfig,
            List<RegistryEventConsumer<Hedge>> consumers,
            Map<String, String> tags,
            RegistryStore<Hedge> store) {
        super(defaultConfig, consumers, tags, store);
        this.store = store;
    }

    @Override
    public Set<Hedge> getAllHedges() {
        return Set.copyOf(store.values());
    }

    @Override
    public Hedge hedge(String name) {
        return hedge(name, Map.of());
    }

    @Override
    public Hedge hedge(String name, Map<String, String> tags) {
        return findOrMake(name, this::getDefaultConfig, tags);
    }

    @Override
    public Hedge hedge(String name, HedgeConfig config) {
        return hedge(name, config, Map.of());
    }

    @Override
    public Hedge hedge(String name, HedgeConfig config, Map<String, String> tags) {
        Settings.notNull("config", config);
        return findOrMake(name, () -> config, tags);
    }

    @Override
    public Hedge hedge(String name, Supplier<HedgeConfig> configSupplier) {
        return hedge(name, configSupplier, Map.of());
    }

    @Override
    public Hedge hedge(String name, Supplier<HedgeConfig> configSupplier, Map<String, String> tags) {
        return findOrMake(name, Settings.notNull("configSupplier", configSupplier), tags);
    }

    @Override
    public Hedge hedge(String name, String configName) {
        return hedge(name, configName, Map.of());
    }

    @Override
    public Hedge hedge(String name, String configName, Map<String, String> tags) {
        Settings.notNull("configName", configName);
        return findOrMake(name, () -> configurationNamed(configName), tags);
    }

    private Hedge findOrMake(String name, Supplier<HedgeConfig> config, Map<String, String> tags) {
        Settings.notNull("name", name);
        Settings.notNull("tags", tags);
        return computeIfAbsent(name, () -> Hedge.of(name, config.get(), getAllTags(tags)));
    }

    private HedgeConfig configurationNamed(String configName) {
        return getConfiguration(configName).orElseThrow(() -> new ConfigurationNotFoundException(configName));
    }
}
