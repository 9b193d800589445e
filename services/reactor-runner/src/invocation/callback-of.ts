import { destinationRefusalText, parseDestination } from '@glovebox/egress/destination-url';
import type { EgressPolicy } from '@glovebox/egress/egress-policy';
import { validationError } from '@glovebox/platform/errors/app-error';

const names = ['callback_url', 'callbackUrl'] as const;

/**
 * The address for the result of an invocation (contract/reactors.md#asynchronous-invocation). Existing clients write the name in camel case.
 * @throws AppError `invalid_argument` unless the egress policy allows the address
 */
export function callbackOf(body: Buffer, policy: EgressPolicy): string | undefined {
  if (!mayName(body)) return undefined;
  const members = membersOf(body);
  const given = names.filter((name) => members[name] != null);
  const [name] = given;
  if (name === undefined) return undefined;
  const url = members[name];
  if (given.length > 1 && members[names[1]] !== url) {
    throw validationError({ [names[1]]: [`must be the same as ${names[0]}`] });
  }
  if (typeof url !== 'string') throw validationError({ [name]: ['must be a string'] });
  const parsed = parseDestination(url, policy);
  if (!parsed.ok) throw validationError({ [name]: [destinationRefusalText(parsed.reason, policy)] });
  return url;
}

/** Avoids parsing most bodies. A name may be written with escapes. */
function mayName(body: Buffer): boolean {
  return body.includes('callback') || body.includes('\\u');
}

/** Empty unless the body is a JSON object; `argsOf` refuses anything else. */
function membersOf(body: Buffer): Readonly<Partial<Record<string, unknown>>> {
  try {
    const parsed: unknown = JSON.parse(body.toString());
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}
