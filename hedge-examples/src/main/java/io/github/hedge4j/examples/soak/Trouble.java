package io.github.hedge4j.examples.soak;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Makes trouble for one server after the other, of one kind after the other, and puts each right again. For one thread. */
final class Trouble {

    private static final int LONGEST_MILLIS = 1_500;
    private static final int SHORTEST_MILLIS = 300;

    /** What can happen to a server. */
    enum Kind {
        PAUSED {
            @Override
            void happen(ServerProcess server, SplittableRandom random) throws Exception {
                server.pause();
                last(random);
                server.resume();
            }
        },
        SLOW {
            @Override
            void happen(ServerProcess server, SplittableRandom random) throws Exception {
                server.delay(50 + random.nextInt(1_000));
                last(random);
                server.delay(3);
            }
        },
        KILLED {
            @Override
            void happen(ServerProcess server, SplittableRandom random) throws Exception {
                server.kill();
                last(random);
                server.restart();
            }
        },
        RESTARTED {
            @Override
            void happen(ServerProcess server, SplittableRandom random) throws Exception {
                server.kill();
                server.restart();
            }
        };

        abstract void happen(ServerProcess server, SplittableRandom random) throws Exception;

        private static void last(SplittableRandom random) throws InterruptedException {
            Thread.sleep(SHORTEST_MILLIS + random.nextInt(LONGEST_MILLIS - SHORTEST_MILLIS));
        }
    }

    private final List<ServerProcess> servers;
    private final SplittableRandom random;
    private final Map<Kind, Integer> made = new EnumMap<>(Kind.class);

    Trouble(List<ServerProcess> servers, long seed) {
        this.servers = servers;
        this.random = new SplittableRandom(seed);
    }

    /** Makes trouble once; returns when all is well again. */
    void make() throws Exception {
        Kind kind =
                Kind.values()[made.values().stream().mapToInt(Integer::intValue).sum() % Kind.values().length];
        made.merge(kind, 1, Integer::sum);
        kind.happen(servers.get(random.nextInt(servers.size())), random);
    }

    boolean wasOfEveryKind() {
        return made.size() == Kind.values().length;
    }

    Map<Kind, Integer> made() {
        return made;
    }
}
