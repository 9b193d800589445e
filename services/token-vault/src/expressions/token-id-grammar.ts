import { accessLimitSettings } from '@glovebox/access/access-limits';

/** Forbidden in ids (contract/tokens.md#token-ids): they would end an id inside `{{ … }}` or in a URL. */
const forbidden = /[#/\\+?[\]|&=%<>{}^]/;
const controlCharacter = /\p{Cc}/u;

const minIdLength = 3;
/** The upper bound of the setting: a database index holds two ids side by side. */
export const longestTokenId = accessLimitSettings.tokenIdLength[2].max;

/** Prefixes of other references (contract/expressions.md#forms and contract/transforms.md#types). */
const prefixes: readonly string[] = ['token:', 'token_intent:', 'config:', 'transform_identifier:'];
const variables: readonly string[] = ['proxy', 'encrypted', 'res'];

/** The reserved word that a text begins with: no expression could reach a token with such an id. */
export function reservedHead(text: string): string | undefined {
  const prefix = prefixes.find((candidate) => text.startsWith(candidate));
  if (prefix !== undefined) return prefix;
  return variables.find(
    (name) => text === name || text.startsWith(`${name}.`) || text.startsWith(`${name}[`),
  );
}

/** Counts code points, as JSON Schema does. */
function isShort(id: string): boolean {
  return id.length < 2 * minIdLength && Array.from(id).length < minIdLength;
}

/**
 * The problem of a token id, if any.
 * @param maxLength of a new id; `longestTokenId` of an id that an earlier limit may have allowed
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
