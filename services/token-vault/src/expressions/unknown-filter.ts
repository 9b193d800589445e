import { nearestName } from '@glovebox/platform/values/nearest-name';
import type { Tokenizer } from 'liquidjs';

import { ExpressionEvaluationError } from './expression-error.ts';

type FilterToken = ReturnType<Tokenizer['readFilters']>[number];

const maxHead = 80;
const maxName = 60;
const maxShown = 200;

/** Names the unknown filter, its expression (of which `head` is the text before the filters), and the closest filter. */
export function unknownFilter(
  { name }: FilterToken,
  head: string,
  chain: readonly FilterToken[],
  known: Iterable<string>,
): ExpressionEvaluationError {
  const filters = chain.map((filter) => (filter.args.length === 0 ? filter.name : `${filter.name}: …`));
  const shown = shorten([shorten(withoutTexts(head.trim()), maxHead), ...filters].join(' | '), maxShown);
  const nearest = nearestName(name, known);
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  return new ExpressionEvaluationError(
    `The expression {{ ${shown} }} names the unknown filter ${shorten(name, maxName)}.${hint}`,
  );
}

/** Quoted text and arguments may be data: neither is shown. */
function withoutTexts(head: string): string {
  return head.replaceAll(/(["'])(?:\\.|(?!\1).)*\1?/gs, '$1…$1');
}

function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).toWellFormed()}…`;
}
