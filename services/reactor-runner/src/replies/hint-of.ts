import type { CodeRun } from '../scheduling/tenant.ts';
import type { Failure } from '../worker-protocol/outcome.ts';
import { parseThrown } from './thrown.ts';

const noFetch =
  "There is no fetch here: use require('node-fetch'), require('axios') or the module https instead.";
const noBt =
  'There is no bt here because no application is set: set the application of the proxy or reactor.';

/** Explains errors that are common in code written for another runtime, or without an application. */
export function hintOf(failure: Failure, job: Pick<CodeRun, 'code' | 'delegation'>): string | undefined {
  if (failure.kind !== 'threw') return undefined;
  const { name, message } = parseThrown(failure.thrown);
  if (name !== 'ReferenceError' && name !== 'TypeError') return undefined;
  if (/^(?:globalThis\.|global\.)?fetch is not (?:defined|a function)$/.test(message)) return noFetch;
  return job.delegation === undefined && readsBt(message, job.code) ? noBt : undefined;
}

/** V8 names the member that was read, and the object only in destructuring. */
function readsBt(message: string, code: string): boolean {
  const [, member] =
    /^Cannot read properties of (?:null|undefined) \(reading '(\w{1,64})'\)$/.exec(message) ?? [];
  if (member !== undefined) return new RegExp(`\\bbt\\s*\\.\\s*${member}\\b`).test(code);
  return /^Cannot destructure property '\w{1,64}' of '(?:\w{1,64}\.)?bt' as it is (?:null|undefined)\.$/.test(
    message,
  );
}
