import { parseContainer } from '@glovebox/access/container';
import { parseHostPattern } from '@glovebox/access/host-pattern';
import { type TokenPermission, allPermissions, isTokenPermission } from '@glovebox/access/permission';
import type { Target } from '@glovebox/access/scope';
import type { EgressPolicy } from '@glovebox/egress/egress-policy';
import { validationError } from '@glovebox/platform/errors/app-error';

import { QueryReader } from '../../http/query.ts';
import { uuidPattern } from '../../http/shape.ts';
import type { InputLimits } from '../../limits/input-limits.ts';

/** Whether an application may do something to a token, and, of a use, by which way. */
export interface AccessQuestion {
  readonly permission: TokenPermission;
  readonly target: Target;
  /** At most one of them, and only of a use. Without any, the values could get anywhere. */
  readonly towards: {
    /** A host, as `parseHostPattern` returns it. */
    readonly destination: string | undefined;
    readonly proxyId: string | undefined;
    readonly reactorId: string | undefined;
  };
}

interface Limits {
  readonly inputLimits: InputLimits;
  readonly egressPolicy: EgressPolicy;
}

const tokenPermissions = allPermissions.map(({ type }) => type).filter(isTokenPermission);
const maxTokenId = 400;
const maxHost = 300;

/** @throws AppError `invalid_argument` with everything that is wrong */
export function readAccessQuestion(
  query: URLSearchParams,
  { inputLimits, egressPolicy }: Limits,
): AccessQuestion {
  const reader = new QueryReader(query);
  const { containerLength } = inputLimits.access;
  const localhost = egressPolicy.profile === 'development';
  const permission = reader.oneOf('permission', tokenPermissions);
  const container = reader.parsed(
    'container',
    containerLength,
    (text) => parseContainer(text, containerLength) ?? undefined,
    'must be a container such as /pci/high/',
  );
  const tokenId = reader.single('token_id', maxTokenId);
  const destination = reader.parsed(
    'destination',
    maxHost,
    (text) => hostOf(text, localhost),
    'must be one host such as api.example.com or api.example.com:8443',
  );
  const uuid = (name: string) =>
    reader.parsed(
      name,
      36,
      (text) => (uuidPattern.test(text) ? text.toLowerCase() : undefined),
      'must be a UUID',
    );
  const towards = { destination, proxyId: uuid('proxy_id'), reactorId: uuid('reactor_id') };
  reader.done();
  if (permission === undefined) throw validationError({ permission: ['is required'] });
  if (container === undefined) throw validationError({ container: ['is required'] });
  checkTowards(permission, towards);
  return { permission, target: { container, tokenId }, towards };
}

function hostOf(text: string, localhost: boolean): string | undefined {
  const parsed = parseHostPattern(text, { localhost });
  return parsed.ok && !parsed.pattern.startsWith('*') ? parsed.pattern : undefined;
}

function checkTowards(permission: TokenPermission, towards: AccessQuestion['towards']): void {
  const names = { destination: 'destination', proxyId: 'proxy_id', reactorId: 'reactor_id' } as const;
  const given = Object.entries(names).filter(([member]) => Reflect.get(towards, member) !== undefined);
  const problem =
    permission === 'token:use' ? 'cannot be together with another way' : 'is for token:use only';
  if (given.length > (permission === 'token:use' ? 1 : 0)) {
    throw validationError(Object.fromEntries(given.map(([, name]) => [name, [problem]])));
  }
}
