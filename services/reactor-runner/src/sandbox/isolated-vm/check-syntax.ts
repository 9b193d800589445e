import ivm from 'isolated-vm';

import type { TextOutcome } from '../../worker-protocol/outcome.ts';
import { checkModule, syntaxProblem } from './user-module.ts';

/** Whether code parses: an outcome that is `returned` if it does. None of it runs. */
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
