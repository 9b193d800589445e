/**
 * Disposes isolates while the host works for them, as often as its argument says, in a process of its own:
 * `node --no-node-snapshot --conditions=source dispose-under-way.ts 10000`. Ends with the line `disposed <count>`,
 * unless it crashes.
 */
import { setImmediate, setTimeout } from 'node:timers/promises';

import ivm from 'isolated-vm';

import { makeEnvironmentHost } from '../../src/node16/host/environment-host.ts';
import { PackageLibrary } from '../../src/node16/library/package-library.ts';
import { Watchdog } from '../../src/sandbox/isolated-vm/watchdog.ts';

const count = Number(process.argv[2] ?? '10000');
const atOnce = 8;
const packages = new PackageLibrary(undefined);
const watchdog = new Watchdog({ tickMs: 1, drowsyTicks: 10 });

/** Starts a few things, and looks for what has finished on request. */
const busyCode = `
  const key = new Uint8Array(16);
  const start = (...args) => $0('start', ...args);
  const things = [
    () => start('crypto.pbkdf2', key, key, 500, 32, 'sha256'),
    () => start('crypto.scrypt', key, key, 64, 8, 1, 2 ** 24, 32),
    () => start('crypto.randomBytes', 100_000),
    () => start('crypto.hkdf', 'sha256', key, key, key, 64),
    () => start('crypto.generateKeyPair', 'ed25519', {}),
    () => start('crypto.generatePrime', 32, false),
    () => start('crypto.sign', 'sha256', [key], ['held', 'secret', key]),
    () => $0('zlib.write', $0('zlib.open', 1, 15, 6, 8, 0).v, 0, new Uint8Array(10_000), 1000),
    () => $0('zlib.write', $0('zlib.openBrotli', 9, [[2, 12]]).v, 0, new Uint8Array(1000), 1000),
    () => $0('crypto.cipherUpdate', $0('crypto.cipher', true, 'aes-128-cbc', key, key, -1).v, key),
    () => $0('text.decodePart', $0('text.open', 'utf-8', false, false).v, key, false),
  ];
  for (let i = 0; i < 5; i += 1) things[Math.floor(Math.random() * things.length)]();
  return () => $0('finished').v?.length;
`;

/** One isolate's life: how it ends is left to chance. */
async function liveAndDie(): Promise<void> {
  const isolate = new ivm.Isolate({ memoryLimit: 16 });
  const context = isolate.createContextSync();
  const state: { look?: ivm.Reference<() => unknown> } = {};
  const host = makeEnvironmentHost({
    packages,
    onFinished() {
      if (!isolate.isDisposed) state.look?.applySync(undefined, []);
    },
    onConsole() {},
    outbound: undefined,
    checkPlace: () => undefined,
    onEffect() {},
    more: {},
  });
  state.look = context.evalClosureSync(busyCode, [new ivm.Callback(host.bridge)], {
    result: { reference: true },
  }) as ivm.Reference<() => unknown>;
  const chance = Math.random();
  if (chance < 0.4) await setImmediate();
  else if (chance < 0.8) await setTimeout(Math.random() * 3);
  else if (chance < 0.85) spin(isolate, context);
  if (Math.random() < 0.7) host.endInvocation();
  if (!isolate.isDisposed) isolate.dispose();
}

/** Its time is over within a call of the host. */
function spin(isolate: ivm.Isolate, context: ivm.Context): void {
  const number = watchdog.add(isolate);
  const stay = watchdog.begin(number, 1, 10_000, false);
  try {
    context.evalClosureSync('for (;;) $0();', [new ivm.Callback(() => Buffer.alloc(1000).fill(1).length)]);
  } catch {
    if (watchdog.end(stay) === undefined) throw new Error('it was disposed by somebody else');
  }
  watchdog.remove(number);
}

let begun = 0;
async function lives(): Promise<void> {
  while (begun < count) {
    begun += 1;
    await liveAndDie();
  }
}
await Promise.all(Array.from({ length: atOnce }, lives));
// What threads still do for isolates that are gone must do no harm either.
await setTimeout(100);
process.stdout.write(`disposed ${begun}\n`, () => process.kill(process.pid, 'SIGKILL'));
