import { TypeGuards, type Token, type ValueToken } from 'liquidjs';

import type { JsonValue } from '../values/json-value.ts';
import { ExpressionEvaluationError } from './expression-error.ts';
import type { WorkBudget } from './expression-limits.ts';
import { costOfNames } from './json-cost.ts';

/** A literal, or a path into a bound variable. */
export type Operand = Literal | Path;

export interface Literal {
  readonly kind: 'literal';
  readonly value: JsonValue;
}

export interface Path {
  readonly kind: 'path';
  readonly variable: string;
  readonly steps: readonly (string | number | Path)[];
}

/** The bound names of an expression. */
export type Variables = Readonly<Record<string, JsonValue>>;

const literals: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ['true', true],
  ['false', false],
  ['nil', null],
  ['null', null],
]);

/**
 * The library parses leniently: an unclosed quote, anything between an index and its bracket, a range. Here these are
 * errors, because a misread mask may show too much.
 * @param allowed the bound variables
 */
export function compileOperand(token: Token | ValueToken, allowed: readonly string[]): Operand {
  if (TypeGuards.isNumberToken(token)) return { kind: 'literal', value: token.content };
  if (TypeGuards.isQuotedToken(token)) {
    if (!isClosed(token.getText()))
      throw new ExpressionEvaluationError('The expression has an unclosed quote.');
    return { kind: 'literal', value: token.content };
  }
  if (TypeGuards.isLiteralToken(token)) {
    const value = literals.get(token.getText());
    if (value !== undefined) return { kind: 'literal', value };
  }
  if (TypeGuards.isPropertyAccessToken(token)) return compilePath(token, allowed);
  throw new ExpressionEvaluationError(
    'The expression holds something that is neither a literal nor a property.',
  );
}

function isClosed(quoted: string): boolean {
  const quote = quoted.charAt(0);
  const escapes = /\\*$/.exec(quoted.slice(1, -1))?.[0].length ?? 0;
  return quoted.length >= 2 && quoted.endsWith(quote) && escapes % 2 === 0;
}

function compilePath(token: Token, allowed: readonly string[]): Path {
  if (!TypeGuards.isPropertyAccessToken(token) || token.variable) throw notAPath();
  const [head, ...rest] = token.props;
  const variable = head && TypeGuards.isWordToken(head) ? head.content : '';
  if (!allowed.includes(variable)) {
    const known = allowed.length === 0 ? 'no variable' : `only ${allowed.join(' and ')}`;
    throw new ExpressionEvaluationError(`The expression names an unknown variable; there is ${known} here.`);
  }
  const tail = token.input.slice(token.props.at(-1)?.end, token.end).trim();
  if (tail !== '' && tail !== ']') throw notAPath();
  return { kind: 'path', variable, steps: rest.map((step) => compileStep(step, allowed)) };
}

function compileStep(step: Token, allowed: readonly string[]): string | number | Path {
  const before = step.input.slice(0, step.begin).trimEnd();
  if (!before.endsWith('[')) {
    if (!TypeGuards.isWordToken(step) || step.begin === step.end) throw notAPath();
    return step.content;
  }
  if (!step.input.slice(step.end).trimStart().startsWith(']')) throw notAPath();
  if (TypeGuards.isWordToken(step)) throw notAPath();
  const operand = compileOperand(step, allowed);
  if (operand.kind === 'path') return operand;
  if (typeof operand.value === 'string' || Number.isSafeInteger(operand.value))
    return operand.value as string | number;
  throw notAPath();
}

function notAPath(): ExpressionEvaluationError {
  return new ExpressionEvaluationError('The expression holds a property path that cannot be read.');
}

export function evaluateOperand(operand: Operand, variables: Variables, work: WorkBudget): JsonValue {
  if (operand.kind === 'literal') return operand.value;
  let value = read(variables, operand.variable, work);
  for (const step of operand.steps) {
    const name = typeof step === 'object' ? evaluateOperand(step, variables, work) : step;
    value = typeof name === 'string' || typeof name === 'number' ? read(value, name, work) : null;
  }
  return value;
}

/** Own properties only: the prototype is not visible. `size`, `first` and `last` are Liquid's. */
function read(value: JsonValue | Variables, name: string | number, work: WorkBudget): JsonValue {
  work.spend(1);
  if (typeof value === 'string') return name === 'size' ? value.length : null;
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) return readElement(value, name);
  const object: Variables = value as Variables;
  if (Object.hasOwn(object, name)) return object[name] ?? null;
  if (name !== 'size') return null;
  const { length } = Object.keys(object);
  work.spend(costOfNames(length));
  return length;
}

function readElement(list: readonly JsonValue[], name: string | number): JsonValue {
  if (typeof name === 'number') return list.at(name) ?? null;
  if (name === 'size') return list.length;
  if (name === 'first') return list[0] ?? null;
  return name === 'last' ? (list.at(-1) ?? null) : null;
}
