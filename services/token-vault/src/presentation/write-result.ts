import type { Outcome } from '../calls/open-call.ts';
import { WorkBudget } from '../expressions/expression-limits.ts';
import type { JsonObject, JsonValue } from '../values/json-value.ts';
import { intentIdOf } from '../values/token-intent-id.ts';
import { presentTokenIntent, type ShownToken, textOfToken } from './present-token.ts';
import type { TokenReference, TokenResult } from './token-result.ts';

/** The answer around its tokens. In a tokenized document, a number is the position of its token. */
export type AnswerForm =
  | { readonly kind: 'done' | 'token' | 'intent' }
  | { readonly kind: 'key'; readonly id: string; readonly document: JsonObject }
  | { readonly kind: 'tokenized'; readonly document: JsonValue };

/** The result of a write, with every token that it created or changed. */
export interface WriteResult {
  readonly form: AnswerForm;
  readonly tokens: readonly TokenResult[];
}

/** Enough to replay the answer; holds no data of its tokens. */
export interface StoredAnswer {
  readonly form: AnswerForm;
  readonly tokens: readonly TokenReference[];
}

export const emptyResult: WriteResult = { form: { kind: 'done' }, tokens: [] };

export function storedAnswerOf({ form, tokens }: WriteResult): StoredAnswer {
  return { form, tokens: tokens.map(({ reference }) => reference) };
}

export function outcomeOf({ form, tokens }: WriteResult): Outcome {
  const work = new WorkBudget();
  const shown = (position: number): ShownToken => {
    const token = tokens[position];
    if (token === undefined) throw new Error('the answer has fewer tokens than it names');
    return work.share(tokens.length - position, (part) => token.present(part));
  };
  switch (form.kind) {
    case 'done':
      return { $case: 'done', value: {} };
    case 'token':
      return outcomeOfToken(tokens[0]?.id ?? '', textOfToken(shown(0)));
    case 'key':
      return { $case: 'key', value: { id: form.id, json: Buffer.from(JSON.stringify(form.document)) } };
    case 'intent': {
      const rowId = tokens[0]?.id ?? '';
      return outcomeOfToken(intentIdOf(rowId), JSON.stringify(presentTokenIntent(rowId, shown(0))));
    }
    default: {
      const json = Buffer.from(fill(form.document, (position) => textOfToken(shown(position))));
      return { $case: 'tokenized', value: { json } };
    }
  }
}

function outcomeOfToken(id: string, json: string): Outcome {
  return { $case: 'token', value: { id, json: Buffer.from(json) } };
}

/** @returns JSON text */
function fill(document: JsonValue, shown: (position: number) => string): string {
  if (typeof document === 'number') return shown(document);
  if (document === null || typeof document !== 'object') return JSON.stringify(document);
  if (Array.isArray(document)) return `[${document.map((item) => fill(item, shown)).join(',')}]`;
  const members = Object.entries(document).map(
    ([name, item]) => `${JSON.stringify(name)}:${fill(item, shown)}`,
  );
  return `{${members.join(',')}}`;
}
