/* SPDX-License-Identifier: BSD-3-Clause */
package drua.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.resource.ResourceInformation;

/**
 * Runs one drua command on an executor, on the GPUs that Spark assigned to the task. No pixels pass through Spark:
 * processes read and write the files that the plan names. Blocks are those of a pass, counted from 1, or of the plan. A
 * failed command is returned as an outcome; the task itself fails only if its executor does.
 */
record BlockTask(Program program, String plan, String verb, int pass) implements Function<BlockRange, Outcome> {
    @Override
    public Outcome call(BlockRange blocks) throws InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(verb, plan, "--ends-with-input"));
        Map<String, String> environment = Map.of();
        if (verb.equals("run")) {
            arguments.addAll(List.of("--blocks", blocks.first() + ":" + blocks.end()));
            if (pass > 0) {
                arguments.addAll(List.of("--pass", Integer.toString(pass)));
            }
        }
        ResourceInformation gpus = TaskContext.get().resourcesJMap().get("gpu");
        if (gpus != null && gpus.addresses().length > 0 && verb.equals("run")) {
            environment = choose(gpus.addresses(), System.getenv("CUDA_VISIBLE_DEVICES"), arguments);
        }
        return program.run(blocks, environment, arguments);
    }

    /**
     * Chooses devices for a task. Addresses that `drua devices --spark-json` has printed name devices directly. Numbers
     * from other discovery scripts are positions among the visible devices, as in CUDA.
     */
    static Map<String, String> choose(String[] addresses, String visible, List<String> arguments) {
        List<String> numbers = new ArrayList<>();
        for (String address : addresses) {
            if (!address.matches("[0-9]{1,4}")) {
                arguments.addAll(List.of("--devices", String.join(",", addresses)));
                return Map.of();
            }
            String[] seen = visible == null || visible.isEmpty() ? new String[0] : visible.split(",");
            int number = Integer.parseInt(address);
            numbers.add(number < seen.length ? seen[number] : address);
        }
        arguments.addAll(List.of("--devices", "job"));
        return Map.of("CUDA_VISIBLE_DEVICES", String.join(",", numbers));
    }
}
