import zlib from 'node:zlib';

import { BadOperation, type Operations, bytes, exact, integer } from './arguments.ts';
import { Handles } from './handles.ts';

/** Inside of a stream of `node:zlib`; its methods are those of Node's own binding. */
interface ZlibHandle {
  onerror: (message: string, errno: number, code: string) => void;
  writeSync(
    flush: number,
    input: Uint8Array | null,
    inOffset: number,
    inLength: number,
    output: Uint8Array,
    outOffset: number,
    outLength: number,
  ): void;
  reset(): void;
  params(level: number, strategy: number): void;
}

interface Engine {
  readonly handle: ZlibHandle;
  /** What is left of the output's room and of the input after a write. */
  readonly state: Uint32Array;
  readonly close: () => void;
  error: readonly [string, number, string] | undefined;
}

const modes = [
  undefined,
  'Deflate',
  'Inflate',
  'Gzip',
  'Gunzip',
  'DeflateRaw',
  'InflateRaw',
  'Unzip',
  'BrotliDecompress',
  'BrotliCompress',
] as const;
const maxOutput = 16 * 1024 * 1024;
const maxEngines = 256;

/** The engines of zlib and brotli; each call does a bounded piece of work, into a room that the caller names. */
export function zlibOperations(): Operations {
  const engines = new Handles<Engine>('zlib stream', maxEngines, ({ close }) => close());
  return {
    'zlib.open'(mode, windowBits, level, memLevel, strategy, dictionary) {
      const options = {
        // 0 says to an inflater: as the header has it.
        windowBits: integer(windowBits, 0, 15),
        level: integer(level, -1, 9),
        memLevel: integer(memLevel, 1, 9),
        strategy: integer(strategy, 0, 4),
        ...(dictionary === undefined ? {} : { dictionary: bytes(dictionary) }),
      };
      return engines.open(engineOf(integer(mode, 1, 7), options));
    },
    'zlib.openBrotli'(mode, params) {
      if (!Array.isArray(params)) throw new BadOperation('expected parameters');
      const set = params.map((pair: unknown) => {
        if (!Array.isArray(pair)) throw new BadOperation('expected pairs');
        return [integer(pair[0], 0, 100), integer(pair[1], 0, 2 ** 31)];
      });
      return engines.open(engineOf(integer(mode, 8, 9), { params: Object.fromEntries(set) }));
    },
    'zlib.write'(id, flush, input, outLength) {
      const engine = engines.get(id);
      const output = Buffer.allocUnsafeSlow(integer(outLength, 0, maxOutput));
      const given = input === undefined ? null : bytes(input);
      engine.error = undefined;
      engine.handle.writeSync(integer(flush, 0, 5), given, 0, given?.length ?? 0, output, 0, output.length);
      const [left = 0, unread = 0] = engine.state;
      return { output: exact(output.subarray(0, output.length - left)), left, unread, error: engine.error };
    },
    'zlib.reset': (id) => engines.get(id).handle.reset(),
    'zlib.params': (id, level, strategy) =>
      engines.get(id).handle.params(integer(level, -1, 9), integer(strategy, 0, 4)),
    'zlib.close': (id) => engines.close(id),
  };
}

function engineOf(mode: number, options: object): Engine {
  const name = modes[mode]!;
  const stream = zlib[`create${name}`](options);
  const engine: Engine = {
    handle: Reflect.get(stream, '_handle'),
    state: Reflect.get(stream, '_writeState'),
    close: () => stream.close(),
    error: undefined,
  };
  engine.handle.onerror = (message, errno, code) => {
    engine.error = [message, errno, code];
  };
  return engine;
}
