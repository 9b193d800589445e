import { maxContainerLength, parseContainer } from './container.ts';
import { addProblem } from './problems.ts';
import type { Problems } from './problems.ts';
import type { Condition } from './rules.ts';

/** Most conditions of one rule. */
const maxConditions = 10;

/** Longest value of a condition, in characters: as long as a container or a token's id may be. */
const maxValueLength = maxContainerLength;

const attributes = ['id', 'container'] as const;
const operators = ['equals', 'starts_with'] as const;
const containerStart = /^\/[A-Za-z0-9_/-]*$/;

/**
 * Reads the conditions of a session's rule, as they came in a request (api-facts 2.4): at least one. Attribute and
 * operator are read in any case; a container is turned to lower case, as it is stored. What is returned counts only if no
 * problem was added.
 *
 * @param path JSON path of `input` in the request
 */
export function readConditions(input: unknown, path: string, problems: Problems): readonly Condition[] {
  if (!Array.isArray(input) || input.length > maxConditions) {
    addProblem(problems, path, `must be an array of at most ${maxConditions} conditions`);
    return [];
  }
  return input.map((item: unknown, index) => readCondition(item, `${path}[${index}]`, problems));
}

function readCondition(input: unknown, path: string, problems: Problems): Condition {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    addProblem(problems, path, 'must be an object');
    return { attribute: 'id', operator: 'equals', value: '' };
  }
  const fields = input as Readonly<Record<string, unknown>>;
  const attribute = readWord(fields['attribute'], attributes, `${path}.attribute`, problems);
  const operator = readWord(fields['operator'], operators, `${path}.operator`, problems);
  const value = readValue(fields['value'], { attribute, operator }, `${path}.value`, problems);
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

function readValue(
  input: unknown,
  { attribute, operator }: Omit<Condition, 'value'>,
  path: string,
  problems: Problems,
): string {
  const isText = typeof input === 'string' && input !== '' && input.length <= maxValueLength;
  if (!isText || !input.isWellFormed() || input.includes('\0')) {
    addProblem(problems, path, `must be a string of 1 to ${maxValueLength} characters, without U+0000`);
    return '';
  }
  if (attribute === 'id') return input;
  const isContainer = operator === 'equals' ? parseContainer(input) !== null : containerStart.test(input);
  if (!isContainer) addProblem(problems, path, 'must be a container such as /pci/high/, or the start of one');
  return input.toLowerCase();
}
