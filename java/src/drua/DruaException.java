// SPDX-License-Identifier: BSD-3-Clause
package drua;

/** A failed call of the engine. The message is one sentence for the user. */
public final class DruaException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DruaException(String message) {
        super(message);
    }
}
