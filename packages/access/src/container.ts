/** The container that covers every other (api-facts 2.4.5). */
export const rootContainer = '/';

/** Longest container that is accepted, in characters: as long as a token's id may be. */
export const maxContainerLength = 400;

const grammar = /^\/(?:[A-Za-z0-9_-]+\/)*$/;

/**
 * Reads a container as a client wrote it: a path that starts and ends with `/`, without empty
 * segments, whose segments are ASCII letters, digits, `-` and `_` (api-facts 1.10 and 2.5).
 *
 * @returns the container as it is stored and compared, in lower case; `null` if `text` is none
 */
export function parseContainer(text: string): string | null {
  return text.length <= maxContainerLength && grammar.test(text) ? text.toLowerCase() : null;
}
