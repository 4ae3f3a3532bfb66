/* SPDX-License-Identifier: BSD-3-Clause */
package drua.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Runs the blocks of a plan on the executors of a Spark cluster; the blocks of its passes come first. The first round
 * runs blocks in large pieces. Later rounds use smaller pieces and finally single blocks, which identifies a block that
 * always fails. The plan's journal, not Spark, records finished blocks: after a crash, this run or another one
 * continues from there. Exit status: 0 success, 1 permanent error, 2 wrong command line, 75 try again.
 */
public final class RunBlocks {
    private static final int WRONG = 1;
    private static final int USAGE = 2;
    private static final int TRY_AGAIN = 75;
    private static final int PIECES_PER_EXECUTOR = 4;
    private static final int SMALLER = 8;
    private static final long MAX_PIECES = 10_000;

    private final JavaSparkContext spark;
    private final Settings settings;
    private final Program program;

    private RunBlocks(JavaSparkContext spark, Settings settings) {
        this.spark = spark;
        this.settings = settings;
        this.program = new Program(settings.program, settings.folder);
    }

    /** Arguments: see {@link Settings#USAGE}. */
    public static void main(String[] words) throws InterruptedException {
        Settings settings;
        try {
            settings = Settings.parse(words);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage() + "\n" + Settings.USAGE);
            System.exit(USAGE);
            return;
        }
        SparkConf conf = new SparkConf()
                             .setIfMissing("spark.app.name", "drua " + settings.plan)
                             .setIfMissing("spark.task.maxFailures", "8")
                             .setIfMissing("spark.speculation", "false");
        int status;
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            status = new RunBlocks(spark, settings).run();
        } catch (IOException e) {
            System.err.println(e.getMessage());
            status = WRONG;
        }
        System.exit(status);
    }

    private int run() throws IOException, InterruptedException {
        Files.deleteIfExists(list());
        Open open = open();
        while (open.pass() > 0) {
            int pass = open.pass();
            int status = rounds(open);
            if (status != 0) {
                return status;
            }
            open = open();
            if (open.pass() == pass) {
                System.err.println("pass " + pass + " is not joined");
                return TRY_AGAIN;
            }
        }
        int status = rounds(open);
        return status == 0 && settings.finishes ? finish() : status;
    }

    /** Runs the unfinished blocks of a pass or of the plan; returns the exit status. */
    private int rounds(Open due) throws IOException, InterruptedException {
        FailedBlocks failed = new FailedBlocks();
        List<BlockRange> open = due.ranges();
        if (open.isEmpty() && due.pass() > 0) {
            spread(List.of(new BlockRange(0, 1)), "run", due.pass());
        }
        for (int round = 1; round <= settings.tries && !open.isEmpty(); round++) {
            long left = BlockRange.count(open);
            long size = pieceSize(left, round);
            List<BlockRange> pieces = BlockRange.cut(open, size);
            System.err.println((due.pass() > 0 ? "pass " + due.pass() + ", " : "") + "round " + round + ": " + left
                + " blocks in " + pieces.size() + " tasks");
            failed.add(spread(pieces, "run", due.pass()));
            open = open().of(due.pass());
            if (size == 1 && BlockRange.count(open) == left && !failed.mayEndWell(open)) {
                break;
            }
        }
        if (!open.isEmpty()) {
            failed.write(list(), open);
            System.err.println(BlockRange.count(open) + " blocks are not finished; " + list() + " lists the errors");
            return failed.mayEndWell(open) ? TRY_AGAIN : WRONG;
        }
        return 0;
    }

    private Path list() {
        return Path.of(settings.folder).resolve(settings.plan + ".failed.json");
    }

    private Open open() throws IOException, InterruptedException {
        return Open.parse(program.ask("status", "--open", settings.plan));
    }

    private long pieceSize(long left, int round) {
        long first = settings.blocksPerTask;
        if (first == 0) {
            first = left / ((long) PIECES_PER_EXECUTOR * Math.max(1, spark.defaultParallelism()));
        }
        long size = round == settings.tries ? 1 : first / (long) Math.pow(SMALLER, round - 1);
        return Math.max(Math.max(1, size), (left + MAX_PIECES - 1) / MAX_PIECES);
    }

    private List<Outcome> spread(List<BlockRange> pieces, String verb, int pass) {
        return spark.parallelize(pieces, pieces.size())
            .map(new BlockTask(program, settings.plan, verb, pass))
            .collect();
    }

    /**
     * Finishes the plan in a single task: reads all files again, writes the smaller levels, and gives outputs their
     * names.
     */
    private int finish() {
        Outcome outcome = spread(List.of(new BlockRange(0, 0)), "finish", 0).get(0);
        if (outcome.succeeded()) {
            return 0;
        }
        System.err.println("finish: " + outcome.sentence());
        return outcome.mayEndWell() ? TRY_AGAIN : WRONG;
    }
}
