import type { CompileProblem } from '@glovebox/protos/runner/v1/runner';

import { type Failure, userFile } from '../worker-protocol/outcome.ts';
import { failureError } from './failure-error.ts';
import { parseThrown } from './thrown.ts';

/** An error for the author of the code: what, and where in their text. */
export interface PlacedError {
  readonly name?: string | undefined;
  readonly message: string;
  /** Both from 1. */
  readonly line?: number;
  readonly column?: number;
  /** The lines around the place, with a mark below it. */
  readonly frame?: string;
}

const maxTextLength = 2000;

/** Where code threw, both from 1; undefined when its stack does not say. */
export function placeOf(thrown: string): { readonly line: number; readonly column: number } | undefined {
  const { message, stack } = parseThrown(thrown);
  const [, line, column] = ownPlace.exec(framesAfter(message, stack)) ?? [];
  return line === undefined ? undefined : { line: Number(line), column: Number(column) };
}

/** A stack begins with the message, which may contain any text. */
function framesAfter(message: string, stack: string): string {
  const at = stack.indexOf(message);
  return at < 0 ? stack : stack.slice(at + message.length);
}

/** How a run failed. @param hint a sentence that is appended to what the code threw */
export function placedError(failure: Failure, code: string, hint?: string): PlacedError {
  if (failure.kind !== 'threw') {
    const [message = 'The code failed.'] = Object.values(failureError(failure).errors).flat();
    return { message: message.slice(0, maxTextLength) };
  }
  const { name, message } = parseThrown(failure.thrown);
  const shortened = message.slice(0, maxTextLength);
  const place = placeOf(failure.thrown);
  return {
    name: name === '' ? undefined : name.slice(0, maxTextLength),
    message: hint === undefined ? shortened : `${shortened}. ${hint}`,
    ...(place !== undefined && { ...place, frame: frameOf(code, place.line, place.column) }),
  };
}

/** Why code does not parse. */
export function syntaxError({ message, line, column }: CompileProblem, code: string): PlacedError {
  const [, name, said = message] = /^(\w{1,60}): (.*)$/s.exec(message) ?? [];
  const place = line === 0 ? {} : { line, column, frame: frameOf(code, line, column) };
  return { name, message: said, ...place };
}

const ownPlace = new RegExp(`\\b${RegExp.escape(userFile)}:(\\d{1,9}):(\\d{1,9})\\b`);

const linesAround = 2;
const maxLineLength = 200;
const lineEnds = /\r\n|[\n\r\u2028\u2029]/;

/** `> 3 | const a = b.c;`, and below it a mark under the column. A long line is cut after that. */
function frameOf(code: string, line: number, column: number): string {
  const lines = code.split(lineEnds);
  const first = Math.max(1, line - linesAround);
  const last = Math.min(lines.length, line + linesAround);
  const width = String(last).length;
  const shown: string[] = [];
  for (let at = first; at <= last; at += 1) {
    const text = (lines[at - 1] ?? '').slice(0, maxLineLength);
    shown.push(`${at === line ? '>' : ' '} ${String(at).padStart(width)} | ${text}`.trimEnd());
    const mark = at === line && column <= maxLineLength ? Math.max(0, column - 1) : undefined;
    if (mark !== undefined) shown.push(`  ${' '.repeat(width)} | ${indent(text, mark)}^`);
  }
  return shown.join('\n');
}

/** As wide as the text before the mark, tabs included. */
function indent(text: string, length: number): string {
  return text.slice(0, length).replace(/[^\t]/g, ' ').padEnd(length);
}
