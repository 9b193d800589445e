import { randomUUID } from 'node:crypto';

/** Visible ASCII and spaces: what can stand in a header, a log line and a database row alike. */
const acceptable = /^[\x20-\x7e]{1,200}$/;

/** The client's correlation id (api-facts section 1.8), or a new one when it sent none that can be passed on. */
export function correlationIdOf(sent: string | undefined): string {
  return sent !== undefined && acceptable.test(sent) ? sent : randomUUID();
}
