import type { IncomingHttpHeaders } from 'node:http';

/** A header of ours, by its name without prefix: `SVC-…` is its name, `BT-…` an alias that existing clients send. */
export function ownHeader(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[`svc-${name}`] ?? headers[`bt-${name}`];
  return Array.isArray(value) ? value.join(', ') : value;
}
