import { AppError, validationError } from '@glovebox/platform/errors';
import { type MaybePromise, andThen } from '@glovebox/platform/maybe-promise';
import { type Detokenize, UsePurpose } from '@glovebox/protos/vault/v1/vault';

import { evaluateExpression } from '../expressions/evaluate.ts';
import { type DetokenizationExpression, type RowReference, parseExpression } from '../expressions/parse.ts';
import { Subject } from '../expressions/subject.ts';
import { Work, requestAllowance } from '../expressions/work.ts';
import type { VaultContext } from '../vault-context.ts';
import { auditText } from './audit-text.ts';
import { type Names, bindNames, boundNames, readVariables, valueOf } from './bind-names.ts';
import type { IdentifiedCall, Outcome } from './open-call.ts';
import { presentTokenIntent } from './present-token-intent.ts';
import { presentToken } from './present-token.ts';
import type { Read, ReadableToken } from './read-tokens.ts';

const purposes: Partial<Record<UsePurpose, Pick<Read, 'operation' | 'onlyRevealed'> & { purpose: string }>> =
  {
    [UsePurpose.USE_PURPOSE_PROXY]: { operation: 'use', onlyRevealed: false, purpose: 'proxy' },
    [UsePurpose.USE_PURPOSE_REACTOR]: { operation: 'use', onlyRevealed: false, purpose: 'reactor' },
    [UsePurpose.USE_PURPOSE_DETOKENIZE]: { operation: 'read', onlyRevealed: true, purpose: 'detokenize' },
  };

/**
 * Values for expressions: under token:use for a proxy or reactor (interface.md sections 4.7, 4.9 and 5.3), and under
 * token:read for who wants them himself (api-facts 3.7). Then the rule must reveal: what shows a token as its mask
 * anywhere else does not give it away here. Without an expression it asks whether the caller holds the permission at all.
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
  const variables = readVariables(wish);
  const bound = boundNames(variables);
  const parsed = expressions.map((text) => parseExpression(text, bound));
  const names = bindNames(vault, identified.caller.tenantId, wish, variables, parsed);
  return andThen(names, (known) => readOf(identified, { aim, wish, parsed, names: known, limits }));
}

interface Plan {
  readonly aim: NonNullable<(typeof purposes)[UsePurpose]>;
  readonly wish: Detokenize;
  readonly parsed: readonly DetokenizationExpression[];
  readonly names: Names;
  readonly limits: VaultContext['limits'];
}

function readOf({ call, caller }: IdentifiedCall, plan: Plan): Read {
  const { aim, wish, parsed, names, limits } = plan;
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
    tokenIds: [...positions.keys()],
    purposeId: auditText(wish.purposeId),
    refuseUnknown: (ids) =>
      new AppError('invalid_argument', `Failed to detokenize some tokens: ${ids.join(', ')}`),
    answer: (tokens) => evaluateAll(parsed, names, positions, tokens, limits.detokenizedLength),
  };
}

function evaluateAll(
  expressions: readonly DetokenizationExpression[],
  names: Names,
  positions: ReadonlyMap<string, number>,
  tokens: readonly ReadableToken[],
  maxLength: number,
): Outcome {
  const subjects = new Map<string, Subject>();
  const values: string[] = [];
  const work = new Work(requestAllowance);
  let room = maxLength;
  for (const expression of expressions) {
    const { reference } = expression;
    const name =
      'operand' in reference ? '' : `${reference.kind} ${'id' in reference ? reference.id : reference.name}`;
    let subject = subjects.get(name);
    if (subject === undefined) {
      subject =
        'id' in reference
          ? subjectOf(reference.kind, tokens[positions.get(reference.id) as number] as ReadableToken)
          : new Subject(JSON.stringify(valueOf(reference, names)));
      if (name !== '') subjects.set(name, subject);
    }
    const value = evaluateExpression(expression, subject, work, names.variables);
    room -= value.length;
    if (room < 0) throw new AppError('too_large', 'The detokenized values are too large for one request.');
    values.push(value);
  }
  return { $case: 'detokenized', value: { values } };
}

function subjectOf(kind: RowReference['kind'], token: ReadableToken): Subject {
  if (kind === 'data') return new Subject(token.data());
  const shown = presentToken(token);
  if (kind === 'token') return new Subject(JSON.stringify(shown));
  const intent = presentTokenIntent(token.row.id, shown);
  return new Subject(JSON.stringify({ ...intent, ...('data' in shown ? { data: shown['data'] } : {}) }));
}

function tooMany(message: string): AppError {
  return new AppError('invalid_argument', message);
}
