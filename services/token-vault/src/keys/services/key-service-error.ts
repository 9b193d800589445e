import { AppError } from '@glovebox/platform/errors/app-error';

/**
 * The key-encryption keys cannot be used now: their service does not answer, or refuses. Callers learn only that; what
 * the operator has to know is the cause, which never holds key material.
 */
export class KeyServiceError extends AppError {
  constructor(problem: string, options?: { readonly cause?: unknown }) {
    super('unavailable', 'The vault cannot unwrap its keys.', { cause: new Error(problem, options) });
  }
}
