// SPDX-License-Identifier: BSD-3-Clause
package drua;

import drua.engine.EngineException;

/** A call of {@link Drua} failed. The message is for the user. */
public final class DruaException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DruaException(String message) {
        super(message);
    }

    DruaException(EngineException cause) {
        super(cause.getMessage(), cause);
    }
}
