/**
 * Calls a transform in one isolate over and over, with nothing around it; prints the microseconds of CPU per call. An
 * async function settles before its call returns, since it waits for nothing, and a second call takes its result.
 * Arguments: the module's code, the text that is passed, the timeout of each call in milliseconds (0: none).
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { checkout } from '@glovebox/local/places';

interface IsolatedVm {
  readonly Isolate: new (options: { readonly memoryLimit: number }) => {
    createContextSync(): {
      evalSync(code: string, options: { readonly reference: true }): Reference;
    };
  };
}

interface Reference {
  applySync(self: undefined, args: readonly string[], options: { readonly timeout?: number }): unknown;
}

/**
 * isolated-vm keeps the timer of a call that has ended until it would have been due: only when the first are, a loop goes
 * on as it does for hours.
 */
const warmMs = 1500;
const measuredMs = 2000;

const [code = '', text = '', timeoutMs = '0'] = process.argv.slice(2);
const { call, take } = startModule();
const options = timeoutMs === '0' ? {} : { timeout: Number(timeoutMs) };
callFor(warmMs);
const before = process.cpuUsage();
const calls = callFor(measuredMs);
const { user, system } = process.cpuUsage(before);
process.stdout.write(JSON.stringify((user + system) / calls));

function startModule(): Record<'call' | 'take', Reference> {
  const require = createRequire(join(checkout, 'services/reactor-runner/package.json'));
  const { Isolate }: IsolatedVm = require('isolated-vm');
  const context = new Isolate({ memoryLimit: 128 }).createContextSync();
  context.evalSync(
    `const module = {};
    ${code}
    let settled;
    const settle = (result) => { settled = JSON.stringify(result); };`,
    { reference: true },
  );
  return {
    call: context.evalSync(
      `(text) => {
        const result = module.exports(JSON.parse(text));
        if (!(result instanceof Promise)) return JSON.stringify(result);
        result.then(settle);
      }`,
      { reference: true },
    ),
    take: context.evalSync('() => settled', { reference: true }),
  };
}

/** @returns how many calls there were. */
function callFor(milliseconds: number): number {
  const endAt = performance.now() + milliseconds;
  let made = 0;
  for (; performance.now() < endAt; made += 1) {
    const result = call.applySync(undefined, [text], options) ?? take.applySync(undefined, [], {});
    if (typeof result !== 'string') throw new Error('the transform gave no result');
  }
  return made;
}
