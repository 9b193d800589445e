import { AppError } from '@glovebox/platform/errors/app-error';

/**
 * The one answer to everything that can go wrong with sealed bytes: cut short, flipped, moved to another record or
 * tenant, sealed under a key that is not there, or not an envelope at all. It carries no cause and no detail on
 * purpose. An error that told these apart would tell whoever can write to the database how far a forgery got.
 */
export class CannotOpenError extends AppError {
  constructor() {
    super('internal', 'A sealed value could not be opened.');
  }
}
