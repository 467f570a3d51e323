package io.github.hedge4j.examples.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hedge4j.examples.http.HttpBodies.Kind;
import io.github.hedge4j.examples.http.HttpBodies.Result;
import java.net.http.HttpClient.Version;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("realtime")
class HttpBodiesTest {

    /** What each of the eight lanes may have open at each of the two servers; over HTTP/2 all share one. */
    private static final Map<Version, Long> FEW = Map.of(Version.HTTP_1_1, 16L, Version.HTTP_2, 2L);

    @ParameterizedTest
    @EnumSource(Version.class)
    void thousandsOfCallsLeaveNoRequestAndOpenNoMoreConnectionsThanHalfOfThemDid(Version version) throws Exception {
        Result result = HttpBodies.run(new Kind(version, 5_000, 1 << 10, true));

        assertThat(result.wholeBodies()).isEqualTo(5_000);
        assertThat(result.inFlightAtEnd()).isZero();
        assertThat(result.openAtHalfTime()).isLessThanOrEqualTo(FEW.get(version));
        assertThat(result.openAtEnd()).isLessThanOrEqualTo(FEW.get(version));
        assertThat(result.lost()).isZero();
    }

    @ParameterizedTest
    @EnumSource(Version.class)
    void theWinnersBodyIsReadToItsEndAfterTheLoserIsCancelled(Version version) throws Exception {
        Result small = HttpBodies.run(new Kind(version, 50, 512 << 10, true));
        Result large = HttpBodies.run(new Kind(version, 2, 50 << 20, true));

        assertThat(small.wholeBodies()).isEqualTo(50);
        assertThat(small.inFlightAtEnd()).isZero();
        assertThat(large.wholeBodies()).isEqualTo(2);
        assertThat(large.inFlightAtEnd()).isZero();
    }

    @ParameterizedTest
    @EnumSource(Version.class)
    void lateBodiesAreClosed(Version version) throws Exception {
        Result result = HttpBodies.run(new Kind(version, 500, 4 << 10, false));

        assertThat(result.wholeBodies()).isEqualTo(500);
        assertThat(result.closedUnread()).isPositive().isEqualTo(result.requests() - 500);
        assertThat(result.inFlightAtEnd()).isZero();
        assertThat(result.openAtEnd()).isLessThanOrEqualTo(FEW.get(version));
        assertThat(result.lost()).isZero();
    }
}
