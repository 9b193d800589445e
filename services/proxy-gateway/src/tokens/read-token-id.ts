import { AppError } from '@glovebox/platform/errors/app-error';

/** Whatever the vault takes for new tokens, none has a longer one. */
const longest = 440;

/**
 * The token id of a path such as `/tokens/<id>`; ids are free text and arrive percent-encoded
 * (contract/tokens.md#token-ids).
 * @throws AppError `not_found` for what can be no id.
 */
export function readTokenId(encoded: string): string {
  try {
    const id = decodeURIComponent(encoded);
    if (id !== '' && id.length <= longest) return id;
  } catch {
    // Malformed percent-encoding names no token.
  }
  throw new AppError('not_found', 'There is no token with this id.');
}
