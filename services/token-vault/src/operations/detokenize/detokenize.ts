import {
  type Grants,
  type Reach as KnownReach,
  anyReach,
  decide,
  holdsAnywhere,
  mayUseTowards,
} from '@glovebox/access/rules';
import { AppError, validationError } from '@glovebox/platform/errors/app-error';
import { type MaybePromise, andThen } from '@glovebox/platform/values/maybe-promise';
import { type Detokenize, type Reach, UsePurpose } from '@glovebox/protos/vault/v1/vault';

import { auditText } from '../../audit/audit-entry.ts';
import type { IdentifiedCall, Outcome } from '../../calls/open-call.ts';
import type { VaultContext } from '../../context/vault-context.ts';
import { WorkBudget } from '../../expressions/expression-limits.ts';
import { type DetokenizationExpression, parseExpression } from '../../expressions/parse.ts';
import type { ReadableToken } from '../../presentation/present-token.ts';
import type { Read } from '../reads/read-tokens.ts';
import { evaluateAll } from './evaluate-all.ts';
import {
  type ExpressionScope,
  resolveScope,
  scopeNames,
  encryptedOf,
  readVariables,
} from './expression-scope.ts';
import { openEncrypted } from './open-encrypted.ts';

const purposes: Partial<Record<UsePurpose, Pick<Read, 'operation' | 'onlyRevealed'> & { purpose: string }>> =
  {
    [UsePurpose.USE_PURPOSE_PROXY]: { operation: 'use', onlyRevealed: false, purpose: 'proxy' },
    [UsePurpose.USE_PURPOSE_REACTOR]: { operation: 'use', onlyRevealed: false, purpose: 'reactor' },
    [UsePurpose.USE_PURPOSE_DETOKENIZE]: { operation: 'read', onlyRevealed: true, purpose: 'detokenize' },
  };

/**
 * Evaluates expressions: under token:use for a proxy or reactor (contract/proxies.md#invocation,
 * contract/reactors.md#invocation and contract/proxies.md#authentication-of-invocations), under token:read for the
 * caller itself (contract/tokens.md#detokenize). For token:read the rule must reveal: a masked token stays masked.
 * Without an expression it checks only whether the caller holds the permission.
 * @param shown what expressions see of the configuration and of what the client has encrypted; by default all of it
 */
export function planDetokenize(
  vault: VaultContext,
  identified: IdentifiedCall,
  request: Detokenize,
  shown: (scope: ExpressionScope) => ExpressionScope = (scope) => scope,
): MaybePromise<Read> {
  const { limits } = vault;
  const { expressions, purpose } = request;
  const mode = purposes[purpose];
  if (mode === undefined) throw validationError({ purpose: ['must be given'] });
  if (expressions.length > limits.expressionsPerDetokenize) {
    throw tooMany(`A request may hold at most ${limits.expressionsPerDetokenize} expressions.`);
  }
  const filtersLength = expressions.reduce((sum, text) => sum + lengthOfFilters(text), 0);
  if (filtersLength > limits.filtersLength) {
    throw tooMany(`The filters of a request may have at most ${limits.filtersLength} characters together.`);
  }
  const variables = readVariables(request);
  const bound = scopeNames(variables, request);
  const parsed = expressions.map((text) => parseExpression(text, bound, limits.token.expressions));
  const scope = resolveScope(vault, identified.caller.tenantId, request, variables, parsed);
  const opensEncrypted =
    expressions.some((text) => text.includes('encrypted')) && encryptedOf(request) !== '';
  const plan = { mode, request, parsed, limits, opensEncrypted, shown };
  // A caller without token:use there is refused later, by the decision: until then nothing is decrypted for it.
  if (opensEncrypted && mayUseTowards(identified.caller.grants, reachOf(request.reach)))
    return readEncrypted(vault, identified, plan, scope);
  return andThen(scope, (known) => readOf(vault, identified, { ...plan, scope: shown(known) }));
}

async function readEncrypted(
  vault: VaultContext,
  identified: IdentifiedCall,
  plan: Omit<Plan, 'scope'>,
  found: MaybePromise<ExpressionScope>,
): Promise<Read> {
  const [known, { value, keyIds }] = await Promise.all([
    found,
    openEncrypted(vault, identified.caller.tenantId, encryptedOf(plan.request)),
  ]);
  const variables = { ...known.variables, encrypted: value };
  const scope = plan.shown({ ...known, variables });
  return { ...readOf(vault, identified, { ...plan, scope }), keyIds };
}

interface Plan {
  readonly mode: NonNullable<(typeof purposes)[UsePurpose]>;
  readonly request: Detokenize;
  readonly parsed: readonly DetokenizationExpression[];
  readonly scope: ExpressionScope;
  readonly limits: VaultContext['limits'];
  readonly opensEncrypted: boolean;
  readonly shown: (scope: ExpressionScope) => ExpressionScope;
}

/** The code of a reactor may return its input, so its configuration needs a grant that reveals. */
function readsReactor({ purpose }: Detokenize, parsed: readonly DetokenizationExpression[]): boolean {
  return (
    purpose === UsePurpose.USE_PURPOSE_REACTOR && parsed.some(({ reference }) => reference.kind === 'config')
  );
}

function readOf(vault: VaultContext, identified: IdentifiedCall, plan: Plan): Read {
  const { call, caller } = identified;
  const { mode, request, parsed, scope, limits, opensEncrypted } = plan;
  const tokenIds = new Set<string>();
  for (const { reference } of parsed) if ('id' in reference) tokenIds.add(reference.id);
  if (tokenIds.size > limits.tokensPerDetokenize) {
    throw tooMany(`At most ${limits.tokensPerDetokenize} tokens may be detokenized in one request.`);
  }
  return {
    kind: 'read',
    call,
    caller,
    ...mode,
    opensSecrets: opensEncrypted || readsReactor(request, parsed),
    tokenIds: [...tokenIds],
    purposeId: auditText(request.purposeId),
    ...(mode.operation === 'use' ? usedAt(request) : {}),
    refuseUnknown: (ids) =>
      new AppError('invalid_argument', `Failed to detokenize some tokens: ${ids.join(', ')}`),
    toOutcome: (token) => {
      const unselected = new Set<string>();
      const sources = { scope, token, onUnselected: (path: string) => unselected.add(path) };
      const goOn = (piece: () => boolean) => inPieces(vault, identified, piece);
      return andThen(
        evaluateAll(parsed, sources, limits.detokenizedLength, new WorkBudget(), goOn),
        (values): Outcome => ({
          $case: 'detokenized',
          value: {
            values,
            unselectedPaths: [...unselected].slice(0, mostPaths),
            readable: mode.operation === 'use' ? readableOf(parsed, caller.grants, token) : [],
          },
        }),
      );
    },
  };
}

/** Which expressions are over tokens that the caller may read in plaintext; empty for none of them. */
function readableOf(
  parsed: readonly DetokenizationExpression[],
  grants: Grants,
  token: (id: string) => ReadableToken,
): boolean[] {
  if (!holdsAnywhere(grants, 'token:read')) return [];
  return parsed.map(({ reference }) => {
    // An intent is for expressions only and cannot be read.
    if (reference.kind !== 'data' && reference.kind !== 'token') return false;
    const { container } = token(reference.id).row;
    const decision = decide(grants, 'token:read', { container, tokenId: reference.id });
    return decision.allowed && decision.transform === 'reveal';
  });
}

function usedAt({ reach }: Detokenize) {
  return { reach: reachOf(reach), destination: auditText(reach?.destination ?? '') };
}

/** A peer of an earlier version does not say how far a value reaches. */
function reachOf(stated: Reach | undefined): KnownReach {
  if (stated === undefined) return anyReach;
  const { destination, code, anywhere } = stated;
  return { anywhere, places: destination === '' ? code : [destination, ...code] };
}

/** The most warnings that an answer has. */
const mostPaths = 10;

function lengthOfFilters(text: string): number {
  const pipe = text.indexOf('|');
  return pipe < 0 ? 0 : text.length - pipe;
}

function tooMany(message: string): AppError {
  return new AppError('invalid_argument', message);
}

/**
 * Runs long work in pieces, with other calls in between. One call of a tenant runs at a time, and tenants take turns.
 * @param piece returns whether more is to do
 * @throws AppError when the caller no longer waits for the answer
 */
function inPieces(
  { evaluations, turns }: VaultContext,
  { call, caller }: IdentifiedCall,
  piece: () => boolean,
): Promise<void> {
  const { tenantId } = caller;
  return evaluations.run(tenantId, () =>
    turns.pieces(tenantId, () => {
      if (call.abandoned !== undefined) throw call.abandoned;
      return piece();
    }),
  );
}
