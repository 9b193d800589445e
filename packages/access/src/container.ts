import { defaultAccessLimits } from './access-limits.ts';

/** The container that covers every other (contract/tenants.md#evaluation). */
export const rootContainer = '/';

const grammar = /^\/(?:[A-Za-z0-9_-]+\/)*$/;

/**
 * Reads a container as a client wrote it: a path that starts and ends with `/`, without empty
 * segments, whose segments are ASCII letters, digits, `-` and `_` (contract/limits.md#field-bounds and
 * contract/tenants.md#containers).
 *
 * @param maxLength in characters
 * @returns the container as it is stored and compared, in lower case; `null` if `text` is none
 */
export function parseContainer(
  text: string,
  maxLength: number = defaultAccessLimits.containerLength,
): string | null {
  return text.length <= maxLength && grammar.test(text) ? text.toLowerCase() : null;
}
