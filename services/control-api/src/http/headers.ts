import type { IncomingHttpHeaders } from 'node:http';

/** A header of ours, by its name without prefix: `SVC-…` is its name, `BT-…` an alias that existing clients send. */
export function ownHeader(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[`svc-${name}`] ?? headers[`bt-${name}`];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Where the aliases are turned off nothing behind this sees one. */
export function dropAliases(headers: IncomingHttpHeaders): void {
  for (const name of Object.keys(headers)) if (name.startsWith('bt-')) delete headers[name];
}
