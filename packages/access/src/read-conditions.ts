import type { AccessLimits } from './access-limits.ts';
import { parseContainer } from './container.ts';
import { addProblem } from './problems.ts';
import type { Problems } from './problems.ts';
import type { Condition } from './rules.ts';

const attributes = ['id', 'container'] as const;
const operators = ['equals', 'starts_with'] as const;
const containerStart = /^\/[A-Za-z0-9_/-]*$/;

/**
 * Reads the conditions of a rule, as they came in a request (contract/tenants.md#access-rules): at least one.
 * Attribute and operator are read in any case; a container is turned to lower case, as it is stored. What is returned
 * counts only if no problem was added.
 *
 * @param path JSON path of `input` in the request
 */
export function readConditions(
  input: unknown,
  limits: AccessLimits,
  path: string,
  problems: Problems,
): readonly Condition[] {
  if (!Array.isArray(input) || input.length > limits.conditions) {
    addProblem(problems, path, `must be an array of at most ${limits.conditions} conditions`);
    return [];
  }
  return input.map((item: unknown, index) => readCondition(item, limits, `${path}[${index}]`, problems));
}

function readCondition(
  input: unknown,
  { conditionValueLength }: AccessLimits,
  path: string,
  problems: Problems,
): Condition {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    addProblem(problems, path, 'must be an object');
    return { attribute: 'id', operator: 'equals', value: '' };
  }
  const fields = input as Readonly<Record<string, unknown>>;
  const attribute = readWord(fields['attribute'], attributes, `${path}.attribute`, problems);
  const operator = readWord(fields['operator'], operators, `${path}.operator`, problems);
  const at = `${path}.value`;
  const text = readText(fields['value'], conditionValueLength, at, problems);
  const value = attribute === 'id' ? text : readContainer(text, operator, at, problems);
  return { attribute, operator, value };
}

function readWord<T extends string>(
  input: unknown,
  words: readonly T[],
  path: string,
  problems: Problems,
): T {
  const text = typeof input === 'string' ? input.toLowerCase() : undefined;
  const word = words.find((known) => known === text);
  if (word === undefined) addProblem(problems, path, `must be one of ${words.join(', ')}`);
  return word ?? (words[0] as T);
}

/** Empty if it cannot be read. */
function readText(input: unknown, maxLength: number, path: string, problems: Problems): string {
  const isText = typeof input === 'string' && input !== '' && input.length <= maxLength;
  if (isText && input.isWellFormed() && !input.includes('\0')) return input;
  addProblem(problems, path, `must be a string of 1 to ${maxLength} characters, without U+0000`);
  return '';
}

/** @param text of a checked length, or empty */
function readContainer(
  text: string,
  operator: Condition['operator'],
  path: string,
  problems: Problems,
): string {
  const isContainer =
    operator === 'equals' ? parseContainer(text, text.length) !== null : containerStart.test(text);
  if (text !== '' && !isContainer)
    addProblem(problems, path, 'must be a container such as /pci/high/, or the start of one');
  return text.toLowerCase();
}
