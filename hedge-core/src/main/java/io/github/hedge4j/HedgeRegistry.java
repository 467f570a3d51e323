package io.github.hedge4j;

import io.github.resilience4j.core.ConfigurationNotFoundException;
import io.github.resilience4j.core.Registry;
import io.github.resilience4j.core.RegistryStore;
import io.github.resilience4j.core.registry.InMemoryRegistryStore;
import io.github.resilience4j.core.registry.RegistryEventConsumer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Hedges by name, made when first asked for. A hedge asked for under a name that exists is returned as it is, whatever configuration or
 * tags it is asked for with. Safe for many threads.
 */
public interface HedgeRegistry extends Registry<Hedge, HedgeConfig> {

    /** A registry with {@link HedgeConfig#ofDefaults()} as default configuration. */
    static HedgeRegistry ofDefaults() {
        return custom().build();
    }

    /** A registry with this default configuration. */
    static HedgeRegistry of(HedgeConfig defaultConfig) {
        return custom().withHedgeConfig(defaultConfig).build();
    }

    /** A registry with this default configuration, and with tags that all of its hedges will have. */
    static HedgeRegistry of(HedgeConfig defaultConfig, Map<String, String> tags) {
        return custom().withHedgeConfig(defaultConfig).withTags(tags).build();
    }

    /** A registry with this default configuration and a listener to its entries. */
    static HedgeRegistry of(HedgeConfig defaultConfig, RegistryEventConsumer<Hedge> consumer) {
        return custom().withHedgeConfig(defaultConfig)
                .addRegistryEventConsumer(consumer)
                .build();
    }

    /** A registry with this default configuration and listeners to its entries. */
    static HedgeRegistry of(HedgeConfig defaultConfig, List<RegistryEventConsumer<Hedge>> consumers) {
        return custom().withHedgeConfig(defaultConfig)
                .addRegistryEventConsumers(consumers)
                .build();
    }

    /** A registry with these named configurations; the one named {@code default}, if there is one, is the default configuration. */
    static HedgeRegistry of(Map<String, HedgeConfig> configs) {
        return custom().withHedgeConfigs(configs).build();
    }

    /** As {@link #of(Map)}, with tags that all of its hedges will have. */
    static HedgeRegistry of(Map<String, HedgeConfig> configs, Map<String, String> tags) {
        return custom().withHedgeConfigs(configs).withTags(tags).build();
    }

    /** As {@link #of(Map)}, with a listener to its entries. */
    static HedgeRegistry of(Map<String, HedgeConfig> configs, RegistryEventConsumer<Hedge> consumer) {
        return custom().withHedgeConfigs(configs)
                .addRegistryEventConsumer(consumer)
                .build();
    }

    /** As {@link #of(Map)}, with a listener to its entries and tags that all of its hedges will have. */
    static HedgeRegistry of(
            Map<String, HedgeConfig> configs, RegistryEventConsumer<Hedge> consumer, Map<String, String> tags) {
        return custom().withHedgeConfigs(configs)
                .addRegistryEventConsumer(consumer)
                .withTags(tags)
                .build();
    }

    /** As {@link #of(Map)}, with listeners to its entries. */
    static HedgeRegistry of(Map<String, HedgeConfig> configs, List<RegistryEventConsumer<Hedge>> consumers) {
        return custom().withHedgeConfigs(configs)
                .addRegistryEventConsumers(consumers)
                .build();
    }

    /** A builder, for what the other factories do not combine, and for a store of one's own. */
    static Builder custom() {
        return new Builder();
    }

    /** All hedges that are registered now; an unmodifiable copy. */
    Set<Hedge> getAllHedges();

    /** The hedge of this name, made with the default configuration if there is none. */
    Hedge hedge(String name);

    /** The hedge of this name, made with the default configuration and these tags, besides the registry's, if there is none. */
    Hedge hedge(String name, Map<String, String> tags);

    /** The hedge of this name, made with this configuration if there is none. */
    Hedge hedge(String name, HedgeConfig config);

    /** The hedge of this name, made with this configuration and these tags, besides the registry's, if there is none. */
    Hedge hedge(String name, HedgeConfig config, Map<String, String> tags);

    /** The hedge of this name, made with the supplied configuration if there is none; the supplier is asked only then. */
    Hedge hedge(String name, Supplier<HedgeConfig> configSupplier);

    /** The hedge of this name, made with the supplied configuration and these tags, besides the registry's, if there is none. */
    Hedge hedge(String name, Supplier<HedgeConfig> configSupplier, Map<String, String> tags);

    /**
     * The hedge of this name, made with the configuration of that name if there is none.
     *
     * @throws ConfigurationNotFoundException if a hedge has to be made and there is no such configuration
     */
    Hedge hedge(String name, String configName);

    /**
     * The hedge of this name, made with the configuration of that name and these tags, besides the registry's, if there is none.
     *
     * @throws ConfigurationNotFoundException if a hedge has to be made and there is no such configuration
     */
    Hedge hedge(String name, String configName, Map<String, String> tags);

    /** Collects what a {@link HedgeRegistry} is made of. Not safe for many threads. */
    final class Builder {

        private static final String DEFAULT = "default";

        private RegistryStore<Hedge> store = new InMemoryRegistryStore<>();
        private HedgeConfig defaultConfig = HedgeConfig.ofDefaults();
        private final Map<String, HedgeConfig> configs = new LinkedHashMap<>();
        private final List<RegistryEventConsumer<Hedge>> consumers = new ArrayList<>();
        private Map<String, String> tags = Map.of();

        private Builder() {}

        /** Where the hedges are kept, for instance to evict them. By default a map in memory that keeps them all. */
        public Builder withRegistryStore(RegistryStore<Hedge> registryStore) {
            this.store = Settings.notNull("registryStore", registryStore);
            return this;
        }

        /** The default configuration. By default {@link HedgeConfig#ofDefaults()}. */
        public Builder withHedgeConfig(HedgeConfig defaultConfig) {
            this.defaultConfig = Settings.notNull("defaultConfig", defaultConfig);
            return this;
        }

        /** A further configuration, under any name but {@code default}. */
        public Builder addHedgeConfig(String configName, HedgeConfig config) {
            Settings.notNull("configName", configName);
            Settings.check(!configName.equals(DEFAULT), "configName", "other than that of the default", configName);
            this.configs.put(configName, Settings.notNull("config", config));
            return this;
        }

        /** A listener to hedges being added, removed and replaced. */
        public Builder addRegistryEventConsumer(RegistryEventConsumer<Hedge> consumer) {
            this.consumers.add(Settings.notNull("consumer", consumer));
            return this;
        }

        /** Tags that all hedges of the registry will have, unless they are made with others of the same keys. Copied. */
        public Builder withTags(Map<String, String> tags) {
            this.tags = Map.copyOf(Settings.notNull("tags", tags));
            return this;
        }

        /** The registry. */
        public HedgeRegistry build() {
            var registry = new InMemoryHedgeRegistry(defaultConfig, List.copyOf(consumers), tags, store);
            configs.forEach(registry::addConfiguration);
            return registry;
        }

        private Builder withHedgeConfigs(Map<String, HedgeConfig> configs) {
            Settings.notNull("configs", configs).forEach((configName, config) -> {
                if (DEFAULT.equals(configName)) {
                    withHedgeConfig(config);
                } else {
                    addHedgeConfig(configName, config);
                }
            });
            return this;
        }

        private Builder addRegistryEventConsumers(List<RegistryEventConsumer<Hedge>> consumers) {
            Settings.notNull("consumers", consumers).forEach(this::addRegistryEventConsumer);
            return this;
        }
    }
}
