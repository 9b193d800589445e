import { AppError } from '@glovebox/platform/errors/app-error';

/**
 * The single error for sealed bytes that do not open: cut short, changed, moved to another record or tenant, sealed
 * under an unknown key, or not an envelope. It deliberately has no cause and no detail, which would tell the author
 * of a forgery how far it got.
 */
export class CannotOpenError extends AppError {
  constructor() {
    super('internal', 'A sealed value could not be opened.');
  }
}
