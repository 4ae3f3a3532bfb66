// SPDX-License-Identifier: BSD-3-Clause
package drua.engine;

/** A call failed in the engine or before it reached the engine. The message is for the user. */
public final class EngineException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public EngineException(String message) {
        super(message);
    }

    /**
     * The message to show for any failure. Failures outside the engine are possible, because an image may be closed or
     * changed at any moment.
     */
    public static String sentence(RuntimeException failure) {
        return failure instanceof EngineException ? failure.getMessage()
                                                  : "internal error (" + failure + "); please try again";
    }
}
