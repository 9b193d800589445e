import type ivm from 'isolated-vm';

import { describeSyntaxError } from './describe-syntax-error.ts';
import { userFile } from './outcome.ts';

const head = '(function (exports, require, module, __filename, __dirname) {\n';
const tail = '\n})';

/** The script whose value is the function that Node.js makes of a CommonJS module. @throws what `syntaxProblem` explains. */
export function compileModule(isolate: ivm.Isolate, code: string): ivm.Script {
  return isolate.compileScriptSync(head + code + tail, { filename: userFile, lineOffset: -1 });
}

/** Why `compileModule` threw, as `SyntaxError: Unexpected token '}' (main.js:3:1)`. */
export function syntaxProblem(isolate: ivm.Isolate, code: string, thrown: unknown): string {
  return describeSyntaxError(code, thrown, () => {
    isolate.compileScriptSync(code, { filename: userFile }).release();
  });
}
