import { AppError } from '@glovebox/platform/errors/app-error';
import type { MaybePromise } from '@glovebox/platform/values/maybe-promise';

import { Subject, evaluateExpression } from '../../expressions/evaluate.ts';
import type { WorkBudget } from '../../expressions/expression-limits.ts';
import type { DetokenizationExpression, Reference, RowReference } from '../../expressions/parse.ts';
import { presentTokenIntent, presentToken, type ReadableToken } from '../../presentation/present-token.ts';
import { parseJson } from '../../values/json-value.ts';
import { type ExpressionScope, valueOf } from './expression-scope.ts';

export interface Sources {
  readonly scope: ExpressionScope;
  readonly token: (id: string) => ReadableToken;
  /** Called with each path that selects nothing. */
  readonly onUnselected?: (path: string) => void;
}

/** The work budget of one piece, in units of work: about a hundred usual calls. */
const workAtOnce = 500_000;

/**
 * Evaluates the expressions of one request to JSON texts. Each row is opened once; variables are read in place, not
 * copied.
 * @param goOn runs the rest in pieces, with other calls in between
 * @throws AppError
 */
export function evaluateAll(
  expressions: readonly DetokenizationExpression[],
  sources: Sources,
  maxLength: number,
  work: WorkBudget,
  goOn: (piece: () => boolean) => Promise<void>,
): MaybePromise<string[]> {
  const values: string[] = [];
  const evaluate = evaluatorOf(sources, work);
  let room = maxLength;
  const piece = (): boolean => {
    const until = work.left - workAtOnce;
    while (values.length < expressions.length && work.left > until) {
      const value = evaluate(expressions[values.length] as DetokenizationExpression);
      room -= value.length;
      if (room < 0) throw new AppError('too_large', 'The detokenized values are too large for one request.');
      values.push(value);
    }
    return values.length < expressions.length;
  };
  return piece() ? goOn(piece).then(() => values) : values;
}

function evaluatorOf(
  { scope, token, onUnselected }: Sources,
  work: WorkBudget,
): (expression: DetokenizationExpression) => string {
  const rows = new Map<string, Subject>();
  const subjectFor = (reference: Reference): Subject => {
    if (!('id' in reference)) return Subject.of(valueOf(reference, scope, work));
    const key = `${reference.kind} ${reference.id}`;
    const known = rows.get(key);
    if (known !== undefined) return known;
    const subject = subjectOf(reference.kind, token(reference.id), work);
    rows.set(key, subject);
    return subject;
  };
  return (expression) =>
    evaluateExpression(expression, subjectFor(expression.reference), work, scope.variables, onUnselected);
}

function subjectOf(kind: RowReference['kind'], token: ReadableToken, work: WorkBudget): Subject {
  if (kind === 'data') return new Subject(token.data());
  const data = () => {
    const json = token.data();
    work.spendOnParsing(json);
    return json;
  };
  const shown = presentToken({ ...token, data }, work);
  const value = shown.data === undefined ? {} : { data: parseJson(shown.data) };
  const attributes = kind === 'token' ? shown.attributes : presentTokenIntent(token.row.id, shown);
  return Subject.of({ ...attributes, ...value });
}
