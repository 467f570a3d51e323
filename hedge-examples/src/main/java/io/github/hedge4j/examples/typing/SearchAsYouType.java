package io.github.hedge4j.examples.typing;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;

import io.github.hedge4j.LatestWins;
import io.github.hedge4j.SupersededException;
import io.github.hedge4j.examples.demo.ReplicaServer;
import io.github.hedge4j.examples.demo.Replicas;
import io.github.hedge4j.examples.demo.Reply;
import io.github.hedge4j.examples.support.Grid;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Types a query into a search box: each key supersedes the search before it, whose request is cancelled at the server. */
public final class SearchAsYouType {

    private static final int BETWEEN_KEYS_MILLIS = 20;
    private static final int SEARCH_MILLIS = 50;

    /** What one key's search came to. */
    record Search(String typed, boolean superseded) {}

    /** All of them, and what the server saw. */
    record Result(List<Search> searches, ReplicaServer.Counts server) {}

    private SearchAsYouType() {}

    /** Argument: what to type. */
    public static void main(String[] args) throws Exception {
        Result result = type(args.length == 0 ? "tail latency" : String.join(" ", args));
        Grid grid = new Grid("typed", "search");
        result.searches.forEach(
                search -> grid.row("\"" + search.typed + "\"", search.superseded ? "superseded" : "answered"));
        System.out.println(grid);
        System.out.println("The server saw: " + result.server);
    }

    static Result type(String text) throws Exception {
        HttpClient http = HttpClient.newHttpClient();
        try (Replicas server = new Replicas(List.of(() -> Reply.ok(MILLISECONDS.toNanos(SEARCH_MILLIS))))) {
            URI uri = server.uris().get(0);
            HttpResponse<String> unusedWarmUp = http.send(request(uri, ""), BodyHandlers.ofString());
            LatestWins<HttpResponse<String>> suggestions = new LatestWins<>();
            List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
            for (int length = 1; length <= text.length(); length++) {
                HttpRequest request = request(uri, text.substring(0, length));
                answers.add(suggestions.call(() -> http.sendAsync(request, BodyHandlers.ofString())));
                Thread.sleep(BETWEEN_KEYS_MILLIS);
            }
            List<Search> searches = new ArrayList<>();
            for (int i = 0; i < answers.size(); i++) {
                searches.add(new Search(text.substring(0, i + 1), isSuperseded(answers.get(i))));
            }
            return new Result(searches, server.awaitIdle(Duration.ofSeconds(5)).get(0));
        }
    }

    private static HttpRequest request(URI uri, String query) {
        return HttpRequest.newBuilder(uri.resolve("/?q=" + URLEncoder.encode(query, StandardCharsets.UTF_8)))
                .version(HttpClient.Version.HTTP_1_1)
                .build();
    }

    private static boolean isSuperseded(CompletableFuture<?> answer) throws Exception {
        return answer.handle((found, failure) -> failure instanceof SupersededException)
                .get(1, MINUTES);
    }
}
