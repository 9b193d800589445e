import { AppError } from '@glovebox/platform/errors/app-error';

/**
 * The key service does not answer, or refuses. Callers learn only that the vault is unavailable; the cause is for
 * the operator, and never holds key material.
 */
export class KeyServiceError extends AppError {
  constructor(problem: string, options?: { readonly cause?: unknown }) {
    super('unavailable', 'The vault cannot unwrap its keys.', { cause: new Error(problem, options) });
  }
}
