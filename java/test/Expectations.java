// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import drua.engine.EngineException;

/** Counts the expectations of a test. */
abstract class Expectations {
    private static int passed, failed;

    static void expect(String what, Object expected, Object got) {
        boolean same = String.valueOf(expected).equals(String.valueOf(got));
        passed += same ? 1 : 0;
        failed += same ? 0 : 1;
        if (!same)
            System.out.println("FAIL " + what + ":\ndue: " + expected + "\ngot: " + got);
    }

    /** Runs a step and returns the error message of its failure, or an empty string if it succeeds. */
    static String failure(Runnable step) {
        try {
            step.run();
            return "";
        } catch (EngineException e) {
            return e.getMessage();
        }
    }

    /** Prints the number of passed expectations; returns the exit status. */
    static int sum() {
        System.out.println(passed + " passed, " + failed + " failed");
        System.out.flush();
        return failed == 0 ? 0 : 1;
    }
}
