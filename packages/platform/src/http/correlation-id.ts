import { randomUUID } from 'node:crypto';

/** Visible ASCII, and spaces within: what can stand in a header, a log line and a database row alike. */
const acceptable = /^[\x21-\x7e](?:[\x20-\x7e]{0,198}[\x21-\x7e])?$/;

/**
 * The id under which a request is found in every log: the caller's own, of up to 200 characters.
 *
 * @param sent as the caller sent it, if it did
 * @param otherwise gives the id in place of none, or of one that can't be passed on; default: a new UUID
 */
export function correlationIdOf(sent: string | undefined, otherwise: () => string = randomUUID): string {
  return sent !== undefined && acceptable.test(sent) ? sent : otherwise();
}
