import { validationError } from '@glovebox/platform/errors/app-error';

const maxLength = 500;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The header `SVC-Comment` (contract/versions.md#comments): UTF-8, of which Node has made one character for each byte.
 * @returns undefined if it says nothing
 * @throws AppError `invalid_argument`
 */
export function readComment(header: string | undefined): string | undefined {
  const text = decode(header ?? '').trim();
  if (text.length > maxLength) refuse(`must be at most ${maxLength} characters long`);
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(text)) refuse('must have printable characters only');
  return text === '' ? undefined : text;
}

function decode(header: string): string {
  try {
    return utf8.decode(Buffer.from(header, 'latin1'));
  } catch {
    return refuse('must be UTF-8');
  }
}

function refuse(problem: string): never {
  throw validationError({ 'SVC-Comment': [problem] });
}
