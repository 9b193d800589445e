import { AppError, validationError } from '@glovebox/platform/errors/app-error';

/** Of the header `If-Match`: any version, or one of these (RFC 9110 section 13.1.1). */
export type IfMatch = '*' | readonly string[];

const tag = String.raw`(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"`;
const list = new RegExp(String.raw`^[ \t,]*${tag}(?:[ \t]*,[ \t,]*${tag})*[ \t,]*$`);

/** @throws AppError `invalid_argument` unless it is `*` or a list of entity tags */
export function readIfMatch(header: string | undefined): IfMatch | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return '*';
  if (list.test(header)) return header.match(new RegExp(tag, 'g')) ?? [];
  throw validationError({ 'If-Match': ['must be * or a list of entity tags, such as "3"'] });
}

/** The entity tag of a version. */
export function tagOf(version: string): string {
  return `"${version}"`;
}

/**
 * Weak tags match nothing.
 * @param version of the locked resource
 * @throws AppError `version_conflict`
 */
export function requireMatch(ifMatch: IfMatch | undefined, version: string): void {
  if (ifMatch === undefined || ifMatch === '*' || ifMatch.includes(tagOf(version))) return;
  const text = `The resource has version ${version} now, which If-Match does not name. Read it again, and repeat the change.`;
  throw new AppError('version_conflict', text);
}
