import { randomUUID } from 'node:crypto';

/** Visible ASCII, with spaces inside: valid in a header, a log line and a database row. */
const acceptable = /^[\x21-\x7e](?:[\x20-\x7e]{0,198}[\x21-\x7e])?$/;

/**
 * The id of a request in every log: the caller's own, of up to 200 characters.
 * @param sent what the caller sent, if anything
 * @param otherwise makes the id when there is none, or an invalid one; default: a new UUID
 */
export function correlationIdOf(sent: string | undefined, otherwise: () => string = randomUUID): string {
  return sent !== undefined && acceptable.test(sent) ? sent : otherwise();
}
