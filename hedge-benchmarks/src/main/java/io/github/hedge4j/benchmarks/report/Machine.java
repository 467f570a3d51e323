package io.github.hedge4j.benchmarks.report;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/** Where the numbers come from. */
final class Machine {

    private Machine() {}

    static String describe() {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return String.format(
                Locale.ROOT,
                "%d cores (%s), %.0f GB, %s %s (%s); %s %s, load average at the start %.1f",
                system.getAvailableProcessors(),
                processor(),
                system.getTotalMemorySize() / 1e9,
                system.getName(),
                system.getVersion(),
                system.getArch(),
                System.getProperty("java.vm.name"),
                System.getProperty("java.vm.version"),
                system.getSystemLoadAverage());
    }

    private static String processor() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException elsewhere) {
            return "unknown";
        }
    }
}
