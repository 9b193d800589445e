import { createHash } from 'node:crypto';

/** The part of the requests that a second version gets. */
export interface Share {
  /** Of 100. */
  readonly percent: number;
  /** The header whose value decides, in lower case; empty: chance. */
  readonly header: string;
}

/** What the choice is about. */
export interface Chosen extends Share {
  /** Id of the proxy or reactor. */
  readonly subjectId: string;
  /** The second version. */
  readonly version: number;
}

/**
 * Whether a request gets the second version (contract/rollouts.md#who-gets-which-version). The same value always gets the
 * same answer, in every process and after every restart; who has the second version keeps it when the share grows.
 * @param value of the header; undefined where the request has none
 * @param random from 0 to 1, without 1
 */
export function getsSecond(chosen: Chosen, value: string | undefined, random = Math.random()): boolean {
  const { percent, header } = chosen;
  const isByValue = header !== '' && value !== undefined;
  return (isByValue ? positionOf(chosen, value) : random) * 100 < percent;
}

const hashedBytes = 6;

/** From 0 to 1, without 1. Another version gives other positions: the same callers are not always first. */
function positionOf({ subjectId, version }: Chosen, value: string): number {
  const digest = createHash('sha256').update(`${subjectId} ${version} ${value}`).digest();
  return digest.readUIntBE(0, hashedBytes) / 2 ** (8 * hashedBytes);
}
