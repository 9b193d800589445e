import { decodeProtectedHeader } from 'jose';

import type { JsonValue } from '../../values/json-value.ts';
import { isUuid } from '../../values/uuid.ts';
import type { ReportProblem } from '../../values/validation-problems.ts';
import { algorithm } from './client-key.ts';

/** The recommended and the required algorithm of RFC 7518, section 5.1. */
export const contentEncryptions: readonly string[] = ['A256GCM', 'A128CBC-HS256'];

/** A JWE that is not decrypted yet. */
export interface ReadJwe {
  readonly compact: string;
  readonly keyId: string;
}

/** Header, encrypted key, initialization vector, ciphertext, tag. */
const compactForm = /^[\w-]{1,2048}\.[\w-]{0,1024}\.[\w-]{1,64}\.[\w-]+\.[\w-]{1,128}$/;

/**
 * Reads the header of a JWE in compact form (RFC 7516) and reports its problems. Only the algorithms of our keys
 * are allowed: a header never chooses one.
 */
export function readJweHeader(
  value: JsonValue | undefined,
  maxLength: number,
  report: ReportProblem,
): ReadJwe | undefined {
  const compact = typeof value === 'string' ? value : '';
  if (compact.length > maxLength) {
    report('encrypted', `must not be longer than ${maxLength} characters`);
    return undefined;
  }
  const header = compactForm.test(compact) ? headerOf(compact) : undefined;
  if (header === undefined) {
    report('encrypted', 'must be a JWE in compact form');
    return undefined;
  }
  const problems = problemsOf(header);
  for (const problem of problems) report('encrypted', problem);
  const keyId = keyIdOf(header);
  return problems.length > 0 || keyId === undefined ? undefined : { compact, keyId };
}

type Header = Readonly<Record<string, unknown>>;

function headerOf(compact: string): Header | undefined {
  try {
    return decodeProtectedHeader(compact) as Header;
  } catch {
    return undefined;
  }
}

function problemsOf(header: Header): string[] {
  const problems: string[] = [];
  if (header['alg'] !== algorithm) problems.push(`must have the alg ${algorithm} in its header`);
  if (!contentEncryptions.some((known) => known === header['enc'])) {
    problems.push(`must have one of ${contentEncryptions.join(', ')} as the enc in its header`);
  }
  if ('zip' in header) problems.push('must not be compressed');
  if ('crit' in header) problems.push('must not have extensions that are critical');
  if (keyIdOf(header) === undefined) problems.push('must have the id of a key as the kid in its header');
  return problems;
}

function keyIdOf({ kid }: Header): string | undefined {
  const id = typeof kid === 'string' ? kid.toLowerCase() : '';
  return isUuid(id) ? id : undefined;
}
