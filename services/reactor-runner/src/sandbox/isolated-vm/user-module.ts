import ivm from 'isolated-vm';

import { type TextOutcome, userFile } from '../../worker-protocol/outcome.ts';
import { settledAs } from '../prelude/settled-as.ts';
import { describeSyntaxError } from './describe-syntax-error.ts';
import { nameImports } from './named-imports.ts';

const parameters = 'exports, require, module, __filename, __dirname';
const tail = '\n})';
/** What closes the function above closes no method, and the other way round. */
const methodHead = `({ module(${parameters}) {\n`;
const methodTail = '\n} })';
const options = { filename: userFile, lineOffset: -1 };

/**
 * The script whose value is the function that Node.js makes of a CommonJS module; it also takes the replacement for `import()` if the
 * code needs that (named-imports.ts). @throws what `syntaxProblem` explains.
 */
export function compileModule(isolate: ivm.Isolate, code: string): ivm.Script {
  const { code: body, importName } = nameImports(asBody(code));
  const taken = importName === undefined ? parameters : `${parameters}, ${importName}`;
  return isolate.compileScriptSync(`(function (${taken}) {\n${body}${tail}`, options);
}

/** Parses code, in an isolate of its own; none of it runs. @returns an outcome that is `returned` if it parses. */
export function checkSyntax(code: string, memoryMb: number): TextOutcome {
  const isolate = new ivm.Isolate({ memoryLimit: memoryMb });
  try {
    checkModule(isolate, code);
    return { kind: 'returned', result: '' };
  } catch (error) {
    if (isolate.isDisposed) return { kind: 'memory' };
    return { kind: 'not_a_function', reason: syntaxProblem(isolate, code, error) };
  } finally {
    if (!isolate.isDisposed) isolate.dispose();
  }
}

/** Whether the code is the body of one function, and does not close that function to go on outside it. @throws like `compileModule`. */
function checkModule(isolate: ivm.Isolate, code: string): void {
  compileModule(isolate, code).release();
  isolate.compileScriptSync(methodHead + asBody(code) + methodTail, options).release();
}

/** A first line for a shell, and a name that the text gives itself, become comments. All places stay where they are. */
function asBody(code: string): string {
  const text = code.startsWith('#!') ? `//${code.slice(2)}` : code;
  return text.replace(/\/\/[#@](?=[ \t]sourceURL=)/g, '//-');
}

/** Why `compileModule` threw, as `SyntaxError: Unexpected token '}' (main.js:3:1)`. */
export function syntaxProblem(isolate: ivm.Isolate, code: string, thrown: unknown): string {
  return describeSyntaxError(code, thrown, () => {
    isolate.compileScriptSync(code, { filename: userFile }).release();
  });
}

/** @param text of a call that has ended, as the prelude settles it (settled-as.ts) */
export function outcomeOf(text: string): TextOutcome {
  switch (text[0]) {
    case settledAs.returnedUndefined:
      return { kind: 'returned', result: '' };
    case settledAs.threw:
      return { kind: 'threw', thrown: text.slice(1) };
    case settledAs.notAFunction:
      return { kind: 'not_a_function', reason: 'module.exports must be a function' };
    case settledAs.badArgument:
      return { kind: 'bad_argument' };
    case settledAs.resultTooLarge:
      return { kind: 'result_too_large' };
    default:
      return { kind: 'returned', result: text };
  }
}
