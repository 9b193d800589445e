import type { BodyGrammar } from '@glovebox/expressions/body-grammar';
import { ExpressionError } from '@glovebox/expressions/expression-error';
import { findExpressions } from '@glovebox/expressions/find-expressions';
import type { ExpressionLimits } from '@glovebox/expressions/limits';
import { AppError } from '@glovebox/platform/errors/app-error';
import { addFilled, valuesNotIn, valuesToGuard } from '@glovebox/platform/redaction/filled-values';
import { type Reach, UsePurpose } from '@glovebox/protos/vault/v1/vault';
import type { ReactorRecord } from '@glovebox/published/records';
import type { VaultClient } from '@glovebox/vault-client/vault-client';

import { type Invoker, vaultCaller } from './invoker.ts';

export interface DetokenizeContext {
  readonly vault: Pick<VaultClient, 'detokenize'>;
  readonly limits: { readonly argumentBytes: number; readonly expressions: ExpressionLimits };
}

export interface DetokenizedArgs {
  /** JSON text. */
  readonly args: string;
  /** The plaintext values that were filled in, as JSON texts. */
  readonly values: readonly string[];
  /** The texts and numbers of them that the invoker neither may read nor has sent. */
  readonly guarded: readonly string[];
}

const json: BodyGrammar = { kind: 'json', utf8: true };

/**
 * Replaces every expression in the arguments by its token's data (contract/reactors.md#invocation, the detokenization rules),
 * in one call of the vault as the invoker. Every other byte stays as it is. The vault limits the number of tokens.
 *
 * @param args JSON text
 * @param reach everywhere that the values can get to
 * @throws AppError
 */
export async function detokenizeArgs(
  { vault, limits }: DetokenizeContext,
  args: Buffer,
  invoker: Invoker,
  reactor: Pick<ReactorRecord, 'id' | 'version'>,
  reach: Reach,
): Promise<DetokenizedArgs> {
  const bounds = { ...limits.expressions, maxFilledBytes: limits.argumentBytes };
  const found = translated(() => findExpressions(json, args, bounds, true));
  if (found.expressions.length === 0) return { args: args.toString(), values: [], guarded: [] };
  const { values, readable } = await vault.detokenize(vaultCaller(invoker, invoker.credential), {
    expressions: [...found.expressions],
    purpose: UsePurpose.USE_PURPOSE_REACTOR,
    purposeId: reactor.id,
    reactorVersion: reactor.version,
    reach,
  });
  const guarded = valuesNotIn(valuesToGuard(addFilled(undefined, values, readable)), args);
  return { args: translated(() => found.fill(values)).toString(), values, guarded };
}

/** Turns an error in an expression into an AppError. */
export function translated<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw new AppError(error.code === 'too_large' ? 'too_large' : 'invalid_argument', error.message);
  }
}
