import { Subject, evaluateExpression } from '../../services/token-vault/src/expressions/evaluate.ts';
import { ExpressionEvaluationError } from '../../services/token-vault/src/expressions/expression-error.ts';
import { parseExpression } from '../../services/token-vault/src/expressions/parse.ts';
import type { JsonValue } from '../../services/token-vault/src/values/json-value.ts';
import type { FilterDescription, FilterGroup } from './filters/description.ts';
import { listGroups } from './filters/list-filters.ts';
import { textGroups } from './filters/text-filters.ts';
import { valueGroups } from './filters/value-filters.ts';

/** In the order of the page. */
export const filterGroups: readonly FilterGroup[] = [...valueGroups, ...textGroups, ...listGroups];

const variables = { data: { other: ["c"] } };

/** Evaluates filters over a token's data as the vault does. @returns JSON text @throws ExpressionEvaluationError */
export function evaluateFilters(input: JsonValue, filters: string): string {
  const expression = parseExpression(`some-id | ${filters}`, Object.keys(variables));
  return evaluateExpression(expression, new Subject(JSON.stringify(input)), undefined, variables);
}

/** The message of the refusal, or undefined if the filters are not refused. */
export function refusalOf(input: JsonValue, filters: string): string | undefined {
  try {
    evaluateFilters(input, filters);
    return undefined;
  } catch (error) {
    if (error instanceof ExpressionEvaluationError) return error.message;
    throw error;
  }
}

/** docs/filters.md. Every result and message is what the vault's own evaluation gives. */
export function renderFiltersPage(): string {
  const count = filterGroups.reduce((sum, { filters }) => sum + filters.length, 0);
  return `# Filters

<!-- Made by \`npm run reference\`. -->

A filter changes the value of an [expression](contract/expressions.md): \`{{ <token id> | reveal_last: 4 }}\`. There are
${count}. Every result and every message on this page comes from an evaluation by the vault's own code.

- Arguments follow a colon, separated by commas. One that has a default may be left out, from the end.
- A refusal is a 400. Its message names the filter, and never the value.
- A count is a whole number from 0 to 65,536, as a number or its digits.
- A result that grew beyond 65,536 characters is refused. [Limits](contract/limits.md#expressions) bound the work of a
  request.

${filterGroups.map(group).join('\n')}`;
}

function group({ title, about, filters }: FilterGroup): string {
  return `## ${title}\n\n${about === undefined ? '' : `${about}\n\n`}${filters.map(section).join('\n')}`;
}

function section(filter: FilterDescription): string {
  return [
    `### ${filter.name}`,
    `\`${signatureOf(filter)}\``,
    filter.summary + ofNull(filter),
    filter.parameters.map(parameter).join('\n'),
    table(['value', 'filters', 'result'], filter.examples.map(result)),
    filter.refusals.length === 0
      ? ''
      : table(['value', 'filters', 'refusal'], filter.refusals.map(([input, filters]) => [
          code(JSON.stringify(input)),
          code(filters),
          refusalOf(input, filters) ?? '',
        ])),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

function signatureOf({ name, parameters }: FilterDescription): string {
  const list = parameters.map(({ name: parameterName, default: fallback, isNamed }) => {
    if (isNamed === true) return `[${parameterName}: ${fallback}]`;
    if (fallback === undefined) return parameterName;
    return fallback === '' ? `[${parameterName}]` : `[${parameterName} = ${fallback}]`;
  });
  return list.length === 0 ? `value | ${name}` : `value | ${name}: ${list.join(', ')}`;
}

function parameter({ name, type, meaning }: FilterDescription['parameters'][number]): string {
  return `- \`${name}\` (${type}): ${meaning}`;
}

/** Null is the value of what a token does not have, so every filter says what it makes of it. */
function ofNull({ name, examples }: FilterDescription): string {
  if (name === 'default') return '';
  const filters = examples[0]?.[1] ?? '';
  if (refusalOf(null, filters) !== undefined) return ' Null is refused.';
  return ` Null gives ${code(evaluateFilters(null, filters))}.`;
}

function result([input, filters, like]: FilterDescription['examples'][number]): string[] {
  const shown = like === undefined ? evaluateFilters(input, filters) : JSON.stringify(like.shown);
  return [code(JSON.stringify(input)), code(filters), `${code(shown)}${like === undefined ? '' : ', for example'}`];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [head, head.map(() => '---'), ...rows].map(line).join('\n');
}

/** In a table, a bar in code has to be escaped. */
function code(text: string): string {
  return `\`${text.replaceAll('|', String.raw`\|`)}\``;
}
