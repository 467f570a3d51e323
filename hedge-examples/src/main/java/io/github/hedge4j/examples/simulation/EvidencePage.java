package io.github.hedge4j.examples.simulation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** docs/simulation.md. */
public final class EvidencePage {

    private EvidencePage() {}

    static String of(Evidence evidence) {
        String page = String.join(
                "\n",
                """
                # The literature's results, from this engine

                <!-- Generated, do not edit: mvn -q compile exec:java -pl hedge-examples -am -DskipChecks \
                     -Dexec.mainClass=io.github.hedge4j.examples.simulation.EvidencePage -->

                Every number here comes out of the shipped `hedge-core`, with simulated replicas at the other end and on virtual time
                (`VirtualTimer`). There is no second implementation of hedging: each policy is a `HedgeConfig`. One seed makes the same
                numbers on every JVM, and a test compares this page with what the code does now, so a change of behaviour is a diff
                of numbers here. To make it anew:

                ```
                mvn -q compile exec:java -pl hedge-examples -am -DskipChecks -Dexec.mainClass=io.github.hedge4j.examples.simulation.EvidencePage
                ```

                `EvidenceTest` holds them against what was published, with a tolerance for each. To see your own numbers instead of these,
                and what they mean for you: [When to hedge](when-to-hedge.md).
                """,
                "## The Tail at Scale (Dean and Barroso, 2013)\n\n"
                        + evidence.tailAtScale().markdown(),
                "## Two copies of everything (Vulimiri and others, 2013)\n\n"
                        + evidence.twoCopies().markdown(),
                "## Redundancy-d (Gardner and others, 2017)\n\n"
                        + evidence.redundancy().markdown(),
                "## Optimal reissue (Kaler, He and Elnikety, 2017)\n\n"
                        + evidence.singleR().markdown(),
                "## Metastable failures (Bronson and others, 2021)\n\n"
                        + evidence.brownOut().markdown(),
                "## A Go library's table (bhope/hedge, 2025)\n\n"
                        + evidence.goLibrary().markdown(),
                "## What the defaults do\n\n" + evidence.whenToHedge().markdown());
        return page.stripTrailing() + "\n";
    }

    /** Writes the page to docs/simulation.md, or to the file that is named. */
    public static void main(String[] args) throws IOException {
        Path page = Path.of(args.length > 0 ? args[0] : "docs/simulation.md");
        Files.writeString(page, of(Evidence.run()));
    }
}
