import { AppError } from '@glovebox/platform/errors/app-error';

/**
 * The single error for stored data that does not authenticate: cut short, changed, moved to another record, revision or
 * tenant, sealed under an unknown key, or not sealed at all. It deliberately has no cause and no detail, which would tell
 * the author of a forgery how far it got.
 */
export class IntegrityViolation extends AppError {
  /** For the audit log. The caller does not get it. */
  readonly tokenId: string | null;

  constructor(tokenId: string | null = null) {
    super('integrity_violation', 'Stored data does not authenticate, so it is not used.');
    this.tokenId = tokenId;
  }
}
