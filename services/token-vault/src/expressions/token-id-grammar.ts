/**
 * Characters that an id may not have (contract/tokens.md#token-ids). They would end it inside `{{ … }}` or in a URL.
 */
const forbidden = /[#/\\+?[\]|&=%<>{}^]/;
const controlCharacter = /\p{Cc}/u;

const minIdLength = 3;
/** No operator can set more: an index of the database holds two ids beside each other. */
export const longestTokenId = 440;

/**
 * Heads under which an expression means something else than a token (contract/expressions.md#forms and
 * contract/transforms.md#types).
 */
const prefixes: readonly string[] = ['token:', 'token_intent:', 'config:', 'transform_identifier:'];
const variables: readonly string[] = ['proxy', 'encrypted', 'res'];

/** The reserved word with which a text begins: no token can be reached in an expression by such an id. */
export function reservedHead(text: string): string | undefined {
  const prefix = prefixes.find((candidate) => text.startsWith(candidate));
  if (prefix !== undefined) return prefix;
  return variables.find(
    (name) => text === name || text.startsWith(`${name}.`) || text.startsWith(`${name}[`),
  );
}

/** Counts characters as JSON Schema does: one beyond the basic plane is one, though it is two units of the text. */
function isShort(id: string): boolean {
  return id.length < 2 * minIdLength && Array.from(id).length < minIdLength;
}

/**
 * What is wrong with the id of a token, if anything.
 * @param maxLength of a new one; `longestTokenId` of one that may have been made under another limit
 */
export function tokenIdProblem(id: string, maxLength: number): string | undefined {
  if (isShort(id) || id.length > maxLength) {
    return `must have ${String(minIdLength)} to ${String(maxLength)} characters`;
  }
  if (forbidden.test(id)) return 'must not contain any of # / \\ + ? [ ] | & = % < > { } ^';
  if (controlCharacter.test(id) || !id.isWellFormed())
    return 'must not contain control characters or broken text';
  if (id.trim() !== id) return 'must not begin or end with white space';
  const reserved = reservedHead(id);
  return reserved === undefined ? undefined : `must not begin with the reserved word "${reserved}"`;
}
