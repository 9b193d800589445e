import type ivm from 'isolated-vm';

import { describeSyntaxError } from './describe-syntax-error.ts';
import { userFile } from './outcome.ts';

const head = '(function (exports, require, module, __filename, __dirname) {\n';
const tail = '\n})';
/** What closes the function above closes no method, and the other way round. */
const methodHead = '({ module(exports, require, module, __filename, __dirname) {\n';
const methodTail = '\n} })';
const options = { filename: userFile, lineOffset: -1 };

/** The script whose value is the function that Node.js makes of a CommonJS module. @throws what `syntaxProblem` explains. */
export function compileModule(isolate: ivm.Isolate, code: string): ivm.Script {
  return isolate.compileScriptSync(head + asBody(code) + tail, options);
}

/** Whether it is the body of one function, and does not end that to go on outside of it. @throws like `compileModule`. */
export function checkModule(isolate: ivm.Isolate, code: string): void {
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
