// SPDX-License-Identifier: BSD-3-Clause
package drua.engine;

/** A call that failed, in the engine or on the way to it. The message is one sentence for the user. */
public final class EngineException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public EngineException(String message) {
        super(message);
    }

    /** What to say of a failure that need not be the engine's: an image may be closed or changed at any moment. */
    public static String sentence(RuntimeException failure) {
        return failure instanceof EngineException ? failure.getMessage() : "it failed (" + failure + "); try it again";
    }
}
