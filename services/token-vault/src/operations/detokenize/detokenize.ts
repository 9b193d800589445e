import { holdsAnywhere } from '@glovebox/access/rules';
import { AppError, validationError } from '@glovebox/platform/errors/app-error';
import { type MaybePromise, andThen } from '@glovebox/platform/values/maybe-promise';
import { type Detokenize, UsePurpose } from '@glovebox/protos/vault/v1/vault';

import { auditText } from '../../audit/audit-entry.ts';
import type { IdentifiedCall, Outcome } from '../../calls/open-call.ts';
import type { VaultContext } from '../../context/vault-context.ts';
import { type DetokenizationExpression, parseExpression } from '../../expressions/parse.ts';
import { Work } from '../../expressions/work.ts';
import type { ReadableToken } from '../../presentation/present-token.ts';
import type { Read } from '../reads/read-tokens.ts';
import { type Names, bindNames, boundNames, encryptedOf, readVariables } from './bind-names.ts';
import { evaluateAll } from './evaluate-all.ts';
import { inPieces } from './in-pieces.ts';
import { openEncrypted } from './open-encrypted.ts';

const purposes: Partial<Record<UsePurpose, Pick<Read, 'operation' | 'onlyRevealed'> & { purpose: string }>> =
  {
    [UsePurpose.USE_PURPOSE_PROXY]: { operation: 'use', onlyRevealed: false, purpose: 'proxy' },
    [UsePurpose.USE_PURPOSE_REACTOR]: { operation: 'use', onlyRevealed: false, purpose: 'reactor' },
    [UsePurpose.USE_PURPOSE_DETOKENIZE]: { operation: 'read', onlyRevealed: true, purpose: 'detokenize' },
  };

/**
 * Values for expressions: under token:use for a proxy or reactor (contract/proxies.md#invocation,
 * contract/reactors.md#invocation and contract/proxies.md#authentication-of-invocations), and under token:read for
 * who wants them himself (contract/tokens.md#detokenize). Then the rule must reveal: what shows a token as its mask
 * anywhere else does not give it away here. Without an expression it asks whether the caller holds the permission at
 * all.
 */
export function planDetokenize(
  vault: VaultContext,
  identified: IdentifiedCall,
  wish: Detokenize,
): MaybePromise<Read> {
  const { limits } = vault;
  const { expressions, purpose } = wish;
  const aim = purposes[purpose];
  if (aim === undefined) throw validationError({ purpose: ['must be given'] });
  if (expressions.length > limits.expressionsPerDetokenize) {
    throw tooMany(`A request may hold at most ${limits.expressionsPerDetokenize} expressions.`);
  }
  const filtersLength = expressions.reduce((sum, text) => sum + lengthOfFilters(text), 0);
  if (filtersLength > limits.filtersLength) {
    throw tooMany(`The filters of a request may have at most ${limits.filtersLength} characters together.`);
  }
  const variables = readVariables(wish);
  const bound = boundNames(variables, wish);
  const parsed = expressions.map((text) => parseExpression(text, bound, limits.token.expressions));
  const names = bindNames(vault, identified.caller.tenantId, wish, variables, parsed);
  const opensEncrypted = expressions.some((text) => text.includes('encrypted')) && encryptedOf(wish) !== '';
  const plan = { aim, wish, parsed, limits, opensEncrypted };
  // Who may use no token is refused when this is judged; until then nothing is opened for that caller.
  if (opensEncrypted && holdsAnywhere(identified.caller.grants, 'token:use'))
    return readEncrypted(vault, identified, plan, names);
  return andThen(names, (known) => readOf(vault, identified, { ...plan, names: known }));
}

async function readEncrypted(
  vault: VaultContext,
  identified: IdentifiedCall,
  plan: Omit<Plan, 'names'>,
  names: MaybePromise<Names>,
): Promise<Read> {
  const [known, { value, keyIds }] = await Promise.all([
    names,
    openEncrypted(vault, identified.caller.tenantId, encryptedOf(plan.wish)),
  ]);
  const variables = { ...known.variables, encrypted: value };
  return { ...readOf(vault, identified, { ...plan, names: { ...known, variables } }), keyIds };
}

interface Plan {
  readonly aim: NonNullable<(typeof purposes)[UsePurpose]>;
  readonly wish: Detokenize;
  readonly parsed: readonly DetokenizationExpression[];
  readonly names: Names;
  readonly limits: VaultContext['limits'];
  readonly opensEncrypted: boolean;
}

/** A reactor's code may answer what it gets: its configuration is for callers whose view reveals. */
function readsReactor({ purpose }: Detokenize, parsed: readonly DetokenizationExpression[]): boolean {
  return (
    purpose === UsePurpose.USE_PURPOSE_REACTOR && parsed.some(({ reference }) => reference.kind === 'config')
  );
}

function readOf(vault: VaultContext, identified: IdentifiedCall, plan: Plan): Read {
  const { call, caller } = identified;
  const { aim, wish, parsed, names, limits, opensEncrypted } = plan;
  const positions = new Map<string, number>();
  for (const { reference } of parsed) {
    if ('id' in reference && !positions.has(reference.id)) positions.set(reference.id, positions.size);
  }
  if (positions.size > limits.tokensPerDetokenize) {
    throw tooMany(`At most ${limits.tokensPerDetokenize} tokens may be detokenized in one request.`);
  }
  return {
    call,
    caller,
    ...aim,
    opensSecrets: opensEncrypted || readsReactor(wish, parsed),
    tokenIds: [...positions.keys()],
    purposeId: auditText(wish.purposeId),
    refuseUnknown: (ids) =>
      new AppError('invalid_argument', `Failed to detokenize some tokens: ${ids.join(', ')}`),
    answer: (tokens) => {
      const token = (id: string) => tokens[positions.get(id) as number] as ReadableToken;
      const unselected = new Set<string>();
      const sources = { names, token, onUnselected: (path: string) => unselected.add(path) };
      const goOn = (piece: () => boolean) => inPieces(vault, identified, piece);
      return andThen(
        evaluateAll(parsed, sources, limits.detokenizedLength, new Work(), goOn),
        (values): Outcome => ({
          $case: 'detokenized',
          value: { values, unselectedPaths: [...unselected].slice(0, mostPaths) },
        }),
      );
    },
  };
}

/** As many warnings as an answer has. */
const mostPaths = 10;

function lengthOfFilters(text: string): number {
  const pipe = text.indexOf('|');
  return pipe < 0 ? 0 : text.length - pipe;
}

function tooMany(message: string): AppError {
  return new AppError('invalid_argument', message);
}
