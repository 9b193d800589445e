import { type AppError, toAppError, validationError } from '@glovebox/platform/errors/app-error';
import { toWireError } from '@glovebox/platform/errors/grpc';
import type { DryExpression, Detokenize, DryDetokenize } from '@glovebox/protos/vault/v1/vault';

import { type ReadDecision, decideRead } from '../../authorization/decide-read.ts';
import type { IdentifiedCall, Outcome } from '../../calls/open-call.ts';
import { recordViolation } from '../../context/record-violation.ts';
import type { VaultContext } from '../../context/vault-context.ts';
import { IntegrityViolation } from '../../crypto/integrity-violation.ts';
import { type DetokenizationExpression, parseExpression } from '../../expressions/parse.ts';
import type { ReadableToken } from '../../presentation/present-token.ts';
import { nameOf } from '../../store/row-cache.ts';
import type { TokenRow } from '../../store/token-row.ts';
import { type LoadedRows, loadRows } from '../../tokens/load-rows.ts';
import { openerOf } from '../../tokens/open-rows.ts';
import { standInOf, standInOfText, standInOfValue } from '../../tokens/stand-in.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../../values/json-value.ts';
import type { Read } from '../reads/read-tokens.ts';
import { planDetokenize } from './detokenize.ts';
import { type ExpressionScope, readVariables, scopeNames } from './expression-scope.ts';

/**
 * Decides as `planDetokenize`, and evaluates the expressions on stand-ins (contract/dry-runs.md#stand-ins). Records are
 * opened here for their shape only. No use is recorded or counted, and a token that may not be used gets no stand-in.
 */
export async function dryDetokenize(
  vault: VaultContext,
  identified: IdentifiedCall,
  { use }: DryDetokenize,
): Promise<Outcome> {
  if (use === undefined) throw validationError({ use: ['is required'] });
  const whole = await planDetokenize(vault, identified, use, disguise);
  const db = vault.postgres.forTenants([identified.caller.tenantId]);
  const rows = await loadRows(vault, db, [whole], 'database');
  if (rows === undefined) throw validationError({ expressions: ['are over tokens that hold too much data'] });
  const now = Date.now();
  const { refusal } = decideRead(whole, rows, now);
  const decisions = new Map(
    whole.tokenIds.map((id) => [id, decideRead({ ...whole, tokenIds: [id] }, rows, now)]),
  );
  const parsed = parsedOf(vault, use);
  const isOpen = (one: DetokenizationExpression) => {
    const { reference } = one;
    return 'id' in reference ? decisions.get(reference.id)?.refusal === undefined : refusal === undefined;
  };
  const allowed = use.expressions.filter((_text, at) => isOpen(parsed[at] as DetokenizationExpression));
  const evaluated = await evaluate(vault, identified, { ...use, expressions: allowed }, [
    ...decisions.values(),
  ]);
  const values = evaluated.values[Symbol.iterator]();
  const expressions = parsed.map((one): DryExpression => {
    const standIn = isOpen(one) ? values.next().value : undefined;
    return 'id' in one.reference
      ? decidedOn(one.reference.id, { decisions, rows, read: whole, standIn })
      : { tokenId: '', container: '', allowed: isOpen(one), reason: '', standIn };
  });
  const failure = refusal ?? evaluated.failure;
  return {
    $case: 'dryDetokenized',
    value: {
      expressions,
      refusal: failure === undefined ? undefined : toWireError(failure),
      unselectedPaths: [...evaluated.unselectedPaths],
    },
  };
}

function parsedOf(vault: VaultContext, use: Detokenize): readonly DetokenizationExpression[] {
  const bound = scopeNames(readVariables(use), use);
  return use.expressions.map((text) => parseExpression(text, bound, vault.limits.token.expressions));
}

interface Evaluated {
  readonly values: readonly string[];
  readonly unselectedPaths: readonly string[];
  readonly failure?: AppError;
}

/** What does not evaluate is no failure of the dry run. @throws IntegrityViolation */
async function evaluate(
  vault: VaultContext,
  identified: IdentifiedCall,
  use: Detokenize,
  decisions: readonly ReadDecision<Read>[],
): Promise<Evaluated> {
  const read = await planDetokenize(vault, identified, use, disguise);
  try {
    const open = await openerOf(vault, decisions);
    const tokens = new Map(
      decisions.flatMap(({ granted }) =>
        granted.map(
          ({ row, view }) => [row.id, { row: disguisedRow(row), view, data: dataOf(row, open) }] as const,
        ),
      ),
    );
    const outcome = await read.toOutcome((id) => tokens.get(id) ?? missing());
    if (outcome.$case !== 'detokenized') throw new Error(`a dry run has the outcome ${outcome.$case}`);
    return outcome.value;
  } catch (error) {
    if (error instanceof IntegrityViolation) {
      await recordViolation(vault, read, error, read.operation);
      throw error;
    }
    return { values: [], unselectedPaths: [], failure: toAppError(error) };
  }
}

function missing(): never {
  throw new Error('a token was not requested');
}

function seedOf({ tenantId, id }: Pick<TokenRow, 'tenantId' | 'id'>, part: string): string {
  return `${tenantId} ${id} ${part}`;
}

function dataOf(row: TokenRow, open: (row: TokenRow) => string): ReadableToken['data'] {
  let known: string | undefined;
  return () => (known ??= standInOf(row.type, open(row), seedOf(row, 'data')));
}

/** What says something of the data, or was stored beside it. */
function disguisedRow(row: TokenRow): TokenRow {
  const { fingerprint, metadata } = row;
  return {
    ...row,
    fingerprint: fingerprint === null ? null : standInOfText(fingerprint, seedOf(row, 'fingerprint')),
    metadata: metadata === null ? null : disguisedMetadata(metadata, seedOf(row, 'metadata')),
  };
}

function disguisedMetadata(metadata: Readonly<Record<string, string>>, seed: string): Record<string, string> {
  const entries = Object.entries(metadata);
  return Object.fromEntries(entries.map(([name, text]) => [name, standInOfText(text, `${seed} ${name}`)]));
}

/** Configuration, and what the client has encrypted for this request; everything else was in the request in plain. */
function disguise({ variables, configuration }: ExpressionScope): ExpressionScope {
  const settings = Object.fromEntries(
    Object.entries(configuration).map(([name, value]) => [name, settingStandIn(name, value)]),
  );
  const { encrypted, proxy } = variables as JsonObject;
  return {
    configuration: settings,
    variables: {
      ...variables,
      ...(encrypted === undefined ? {} : { encrypted: standInOfValue(encrypted, 'encrypted') }),
      ...(isJsonObject(proxy) && Object.hasOwn(proxy, 'config')
        ? { proxy: { ...proxy, config: settings } }
        : {}),
    },
  };
}

function settingStandIn(name: string, value: JsonValue): JsonValue {
  const seed = `configuration.${name}`;
  return typeof value === 'string' ? standInOfText(value, seed) : standInOfValue(value, seed);
}

interface Decided {
  readonly decisions: ReadonlyMap<string, ReadDecision<Read>>;
  readonly rows: LoadedRows;
  readonly read: Read;
  readonly standIn: string | undefined;
}

function decidedOn(tokenId: string, { decisions, rows, read, standIn }: Decided): DryExpression {
  const decision = decisions.get(tokenId);
  const entry = decision?.entries.find((one) => one.tokenId === tokenId) ?? decision?.entries[0];
  const allowed = decision !== undefined && decision.refusal === undefined;
  return {
    tokenId,
    container: rows.get(nameOf({ tenantId: read.caller.tenantId, id: tokenId }))?.row.container ?? '',
    rule: entry?.rule ?? undefined,
    allowed,
    reason: allowed ? '' : (entry?.reason ?? 'refused'),
    standIn,
  };
}
