package io.github.hedge4j.examples.typing;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hedge4j.examples.typing.SearchAsYouType.Result;
import io.github.hedge4j.examples.typing.SearchAsYouType.Search;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("realtime")
class SearchAsYouTypeTest {

    @Test
    void theNewestSearchIsAnsweredAndTheOthersAreCancelledAtTheServer() throws Exception {
        Result result = SearchAsYouType.type("tail lat");

        assertThat(result.searches()).hasSize(8).last().isEqualTo(new Search("tail lat", false));
        // On a machine that stops for a while, a search may have been answered between two keys.
        assertThat(result.searches()).filteredOn(Search::superseded).isNotEmpty();
        assertThat(result.server().inFlight()).isZero();
        assertThat(result.server().answered()).isGreaterThanOrEqualTo(1);
    }
}
