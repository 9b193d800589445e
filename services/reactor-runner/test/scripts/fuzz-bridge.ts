import { makeBridge } from '../../src/node16/host/bridge.ts';
/**
 * Calls the host's operations with whatever an isolate could hand over, as often as its argument says, in a process of
 * its own: `node --conditions=source fuzz-bridge.ts 30000 7`, where 7 is the seed. Ends with the line `called <count>`,
 * unless the process crashes or an answer holds what must not cross.
 */
import { constantOperations } from '../../src/node16/host/constant-operations.ts';
import { exchangeOperations } from '../../src/node16/host/crypto-exchange.ts';
import { cryptoLater, cryptoNow } from '../../src/node16/host/crypto-jobs.ts';
import { cryptoOperations } from '../../src/node16/host/crypto-operations.ts';
import { jobOperations } from '../../src/node16/host/jobs.ts';
import { Network } from '../../src/node16/host/network/network.ts';
import { textOperations } from '../../src/node16/host/text-operations.ts';
import { urlOperations } from '../../src/node16/host/url-operations.ts';
import { WorkQueue } from '../../src/node16/host/work-queue.ts';
import { zlibOperations } from '../../src/node16/host/zlib-operations.ts';

const count = Number(process.argv[2] ?? '30000');
let state = Number(process.argv[3] ?? '1') >>> 0 || 1;

/** xorshift32: what a seed finds is found again. */
function random(below: number): number {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  state >>>= 0;
  return state % below;
}
const pick = <Value>(values: readonly Value[]): Value => values[random(values.length)] as Value;

const network = new Network(
  undefined,
  () => undefined,
  () => {},
);
const table = {
  ...constantOperations,
  ...textOperations(),
  ...urlOperations,
  ...zlibOperations(),
  ...cryptoOperations(),
  ...cryptoNow,
  ...exchangeOperations,
  ...network.operations(),
};
const later = { ...cryptoLater(new WorkQueue()), ...network.jobs() };
const jobs = jobOperations(later, () => {});
const bridge = makeBridge({ ...table, ...jobs.operations });
const operations = Object.keys(table);

const names =
  'sha256 md5 sha512 aes-128-cbc aes-256-gcm aes-128-ccm chacha20-poly1305 aes-128-wrap rsa rsa-pss ec dsa dh'
    .concat(
      ' ed25519 x25519 x448 prime256v1 secp256k1 modp1 modp5 utf8 latin1 utf-16le gb18030 held given secret public private',
    )
    .concat(
      ' size prime group protocol http://host/ https://user@host:1/x?y#z xn--a ü key __proto__ constructor hasOwnProperty',
    )
    .split(' ');
const numbers = [
  0,
  1,
  2,
  3,
  4,
  5,
  6,
  7,
  8,
  9,
  12,
  15,
  16,
  32,
  100,
  512,
  -1,
  -2,
  0.5,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  NaN,
  Infinity,
];
const sizes = [0, 1, 7, 8, 12, 16, 24, 32, 33, 64, 300, 5000];

/** Values that structured cloning gives. */
function value(depth = 0): unknown {
  const kind = random(depth > 2 ? 6 : 10);
  if (kind < 2) return pick(numbers);
  if (kind === 2) return pick(names);
  if (kind < 5) return bytes();
  if (kind === 5) return pick([undefined, null, true, false, '', 1n, new Date(0), new Map([[1, 2]])]);
  if (kind < 8) return Array.from({ length: random(6) }, () => value(depth + 1));
  const keys = [
    'modulusLength',
    'namedCurve',
    'publicExponent',
    'prime',
    'generator',
    'kty',
    'crv',
    'n',
    'e',
    'd',
    'x',
    'y',
    'k',
    'length',
    '__proto__',
  ];
  return Object.fromEntries(Array.from({ length: random(5) }, () => [pick(keys), value(depth + 1)]));
}

function bytes(): Uint8Array {
  return new Uint8Array(pick(sizes)).map(() => random(256));
}

/** Shapes of a key, with good and bad parts. */
function key(): unknown {
  return pick([
    ['held', pick(['secret', 'public', 'private', 'none']), bytes()],
    ['given', random(3), pick([undefined, 0, 1, 2, 3]), pick([undefined, bytes()]), bytes()],
    value(),
  ]);
}

let calls = 0;
for (; calls < count; calls += 1) {
  const operation = pick(operations);
  const args = Array.from({ length: random(8) }, () => (random(4) === 0 ? key() : value()));
  check(
    operation,
    args,
    random(5) === 0
      ? bridge('start', pick([...Object.keys(later), operation]), ...args)
      : bridge(operation, ...args),
  );
  if (calls % 50 === 0) {
    // What is done later is done, and looked at.
    await new Promise((resolve) => setImmediate(resolve));
    check('finished', [], bridge('finished'));
  }
}
check('none', [], bridge(value(), value()));
process.stdout.write(`called ${calls}\n`);

function check(operation: string, args: unknown, answer: unknown): void {
  const wrong = whatIsWrong(answer, 0);
  if (wrong === undefined) return;
  process.stdout.write(
    `${operation}: ${wrong}, given ${JSON.stringify(args, (_key, one) => (typeof one === 'bigint' ? String(one) : one))}\n`,
  );
  process.exit(1);
}

/** Plain data crosses, and bytes whose buffer holds nothing else. */
function whatIsWrong(one: unknown, depth: number): string | undefined {
  if (depth > 8) return 'it is nested too deep';
  if (typeof one === 'function' || typeof one === 'symbol') return `a ${typeof one}`;
  if (typeof one !== 'object' || one === null)
    return typeof one === 'string' && /\/src\/|node_modules/.test(one) ? 'a path' : undefined;
  if (one instanceof Uint8Array)
    return one.byteLength === one.buffer.byteLength ? undefined : 'bytes with others around them';
  const prototype: unknown = Object.getPrototypeOf(one);
  if (!Array.isArray(one) && prototype !== Object.prototype && prototype !== null)
    return 'an object of a class';
  for (const inner of Object.values(one)) {
    const wrong = whatIsWrong(inner, depth + 1);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
