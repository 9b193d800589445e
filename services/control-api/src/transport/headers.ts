import type { IncomingHttpHeaders } from 'node:http';

import { AppError } from '@glovebox/platform/errors/app-error';

/** A header of ours, by its name without prefix: `SVC-…` is its name, `BT-…` an alias that existing clients send. */
export function ownHeader(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[`svc-${name}`] ?? headers[`bt-${name}`];
  return Array.isArray(value) ? value.join(', ') : value;
}

/**
 * The same for one that names a credential: under both names it must say the same, or two parties could each believe
 * another one.
 * @throws AppError `invalid_argument`
 */
export function soleHeader(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = ownHeader(headers, name);
  const alias = headers[`bt-${name}`];
  if (alias === undefined || alias === value) return value;
  const spelled = `SVC-${name.toUpperCase()}`;
  throw new AppError('invalid_argument', `The header ${spelled} was sent twice with different values.`);
}

/** Where the aliases are turned off nothing behind this sees one. */
export function dropAliases(headers: IncomingHttpHeaders): void {
  for (const name of Object.keys(headers)) if (name.startsWith('bt-')) delete headers[name];
}
