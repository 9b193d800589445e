import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import { ownHeader } from './headers.ts';

/** Visible ASCII, so that it can stand in any header and any log line. */
const acceptable = /^[\x21-\x7e](?:[\x20-\x7e]{0,126}[\x21-\x7e])?$/;

/** The caller's own correlation id, or a new one where it sent none or one that can't be passed on. */
export function correlationIdOf(headers: IncomingHttpHeaders): string {
  const sent = ownHeader(headers, 'trace-id');
  return sent !== undefined && acceptable.test(sent) ? sent : randomUUID();
}
