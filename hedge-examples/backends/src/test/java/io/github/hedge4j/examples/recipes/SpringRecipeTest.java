package io.github.hedge4j.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.hedge4j.Hedge;
import io.github.hedge4j.HedgeBudget;
import io.github.hedge4j.HedgeConfig;
import io.github.hedge4j.HedgeDelay;
import io.github.hedge4j.HedgeRegistry;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class SpringRecipeTest {

    // tag::spring[]
    @ConfigurationProperties("hedge")
    record HedgeProperties(@DefaultValue Map<String, Instance> instances) {

        record Instance(
                @DefaultValue("0.95") double percentile,
                @DefaultValue("1h") Duration maxDelay,
                @DefaultValue("2") int maxAttempts,
                @DefaultValue("0.10") double budget,
                @DefaultValue("10s") Duration timeout) {

            HedgeConfig config() {
                return HedgeConfig.custom()
                        .delay(HedgeDelay.percentile(percentile).withMax(maxDelay))
                        .maxAttempts(maxAttempts)
                        .budget(HedgeBudget.ratio(budget))
                        .timeout(timeout)
                        .build();
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(HedgeProperties.class)
    static class Hedges {

        @Bean
        HedgeRegistry hedgeRegistry(HedgeProperties properties) {
            Map<String, HedgeConfig> configs = new LinkedHashMap<>();
            properties.instances().forEach((name, instance) -> configs.put(name, instance.config()));
            return HedgeRegistry.of(configs);
        }

        @Bean
        Hedge searchHedge(HedgeRegistry hedges) {
            return hedges.hedge("search", "search"); // its name, and that of its configuration
        }
    }
    // end::spring[]

    private static ConfigurableApplicationContext start(String... properties) {
        return new SpringApplicationBuilder(Hedges.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .logStartupInfo(false)
                .properties(properties)
                .run();
    }

    @Test
    void theRegistryIsMadeFromProperties() {
        try (var context = start(
                "hedge.instances.search.max-delay=80ms",
                "hedge.instances.search.budget=0.05",
                "hedge.instances.search.timeout=500ms")) {
            Hedge hedge = context.getBean(Hedge.class);

            assertThat(hedge.getName()).isEqualTo("search");
            assertThat(hedge).isSameAs(context.getBean(HedgeRegistry.class).hedge("search"));
            HedgeConfig config = hedge.getHedgeConfig();
            assertThat(config.getDelay()).isEqualTo(HedgeDelay.percentile(0.95).withMax(Duration.ofMillis(80)));
            assertThat(config.getBudget()).isEqualTo(HedgeBudget.ratio(0.05));
            assertThat(config.getTimeout()).contains(Duration.ofMillis(500));
            assertThat(config.getMaxAttempts()).isEqualTo(2);
        }
    }

    @Test
    void aBadValueStopsTheApplicationAndNamesTheProperty() {
        assertThatThrownBy(() -> start("hedge.instances.search.max-attempts=0"))
                .rootCause()
                .hasMessage("maxAttempts must be >= 1, but was 0");
    }
}
