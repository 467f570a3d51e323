package io.github.hedge4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The code in the documentation is code that compiles, and its links lead somewhere. */
class DocsTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path EXAMPLES = ROOT.resolve("hedge-examples");

    private static final Pattern CODE_BLOCK =
            Pattern.compile("(?:<!-- snippet: (\\S+) -->\\n)?```(?:java|kotlin)\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern REGION =
            Pattern.compile("// tag::(\\S+)\\[]\\n(.*?)\\n *// end::\\1\\[]", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(([^)#:\\s]+)(?:#[^)]*)?\\)");

    @TestFactory
    Stream<DynamicTest> everyBlockOfCodeIsASnippetThatCompiles() throws IOException {
        Map<String, String> regions = regions();
        return pages().map(page -> DynamicTest.dynamicTest(ROOT.relativize(page).toString(), () -> {
            var block = CODE_BLOCK.matcher(Files.readString(page));
            while (block.find()) {
                assertThat(block.group(1))
                        .as("the name of the snippet %s", block.group(2))
                        .isNotNull();
                assertThat(block.group(2).strip()).as(block.group(1)).isEqualTo(regions.get(block.group(1)));
            }
        }));
    }

    @Test
    void everySnippetIsShownSomewhere() throws IOException {
        String text = text();

        assertThat(regions().keySet())
                .isNotEmpty()
                .allSatisfy(name -> assertThat(text).contains("<!-- snippet: " + name + " -->"));
    }

    @Test
    void everyProgramIsListedWithItsCommand() throws IOException {
        String text = text();

        assertThat(sources())
                .filteredOn(DocsTest::isProgram)
                .extracting(source -> source.getFileName().toString().replace(".java", ""))
                .contains("Demo", "SoakServer")
                .filteredOn(program -> !List.of("Demo", "SoakServer").contains(program))
                .hasSizeGreaterThan(5)
                .allSatisfy(program -> assertThat(text).containsPattern("exec\\.mainClass=\\S+\\." + program + "\\b"));
    }

    @TestFactory
    Stream<DynamicTest> everyRelativeLinkLeadsToAFile() throws IOException {
        return pages().map(page -> DynamicTest.dynamicTest(ROOT.relativize(page).toString(), () -> {
            var link = LINK.matcher(Files.readString(page));
            while (link.find()) {
                assertThat(page.resolveSibling(link.group(1))).exists();
            }
        }));
    }

    @Test
    void theDependencyToCopyHasThisVersion() throws IOException {
        String parent = Files.readString(ROOT.resolve("pom.xml"));
        String version = parent.substring(parent.indexOf("<version>"), parent.indexOf("</version>"));

        assertThat(Files.readString(ROOT.resolve("README.md")))
                .contains("<artifactId>hedge-core</artifactId>\n    " + version + "</version>");
    }

    private static String text() throws IOException {
        StringBuilder text = new StringBuilder();
        for (Path page : pages().toList()) {
            text.append(Files.readString(page));
        }
        return text.toString();
    }

    private static Stream<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
            List<Path> pages = Stream.concat(Stream.of(ROOT.resolve("README.md")), docs)
                    .filter(page -> page.toString().endsWith(".md"))
                    .sorted()
                    .toList();
            return pages.stream();
        }
    }

    private static Map<String, String> regions() throws IOException {
        Map<String, String> regions = new TreeMap<>();
        for (Path source : sources()) {
            var region = REGION.matcher(Files.readString(source));
            while (region.find()) {
                assertThat(regions.put(region.group(1), dedent(region.group(2))))
                        .as("another region named %s", region.group(1))
                        .isNull();
            }
        }
        return regions;
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(EXAMPLES)) {
            return files.filter(file -> file.toString().matches(".*\\.(java|kt)"))
                    .filter(file -> !file.toString().contains("/target/") && !file.endsWith("DocsTest.java"))
                    .toList();
        }
    }

    private static boolean isProgram(Path source) {
        try {
            return Files.readString(source).contains("public static void main");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String dedent(String code) {
        int indent = code.lines()
                .filter(line -> !line.isBlank())
                .mapToInt(line -> line.length() - line.stripLeading().length())
                .min()
                .orElse(0);
        StringBuilder dedented = new StringBuilder();
        for (String line : code.lines().toList()) {
            dedented.append(line.isBlank() ? "" : line.substring(indent)).append('\n');
        }
        return dedented.toString().strip();
    }
}
