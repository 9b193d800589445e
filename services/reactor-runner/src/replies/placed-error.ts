import { codeFrame } from '@glovebox/platform/errors/code-frame';
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
    ...(place !== undefined && { ...place, frame: codeFrame(code, place.line, place.column) }),
  };
}

/** Why code does not parse. */
export function syntaxError({ message, line, column }: CompileProblem, code: string): PlacedError {
  const [, name, said = message] = /^(\w{1,60}): (.*)$/s.exec(message) ?? [];
  const place = line === 0 ? {} : { line, column, frame: codeFrame(code, line, column) };
  return { name, message: said, ...place };
}

const ownPlace = new RegExp(`\\b${RegExp.escape(userFile)}:(\\d{1,9}):(\\d{1,9})\\b`);
