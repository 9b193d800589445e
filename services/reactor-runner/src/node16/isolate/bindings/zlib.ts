import { exactBytes } from '../bridge.ts';
import type { Scope } from '../scope.ts';

type OnWritten = (this: ZlibEngine) => void;

/** What a stream of Node's `zlib` holds; the names are the binding's. */
interface ZlibEngine {
  id: number | undefined;
  state: Uint32Array;
  onWritten: OnWritten;
  onerror: (message: string, errno: number, code: string) => void;
}

/** `internalBinding('zlib')`: engines of the host, by number. */
export function zlibBinding({ call, load }: Scope): object {
  const later = (run: () => void) => load('timers').setImmediate(run);

  /** @returns whether it went well. */
  function write(
    engine: ZlibEngine,
    flush: number,
    input: Uint8Array | null,
    inAt: number,
    inLength: number,
    out: Uint8Array,
    outAt: number,
    outLength: number,
  ): boolean {
    const given = input === null ? undefined : exactBytes(asBytes(input).subarray(inAt, inAt + inLength));
    const { output, left, unread, error } = call('zlib.write', engine.id, flush, given, outLength);
    out.set(output, outAt);
    engine.state[0] = left;
    engine.state[1] = unread;
    if (error === undefined) return true;
    engine.onerror(...error);
    return false;
  }

  const asBytes = (view: ArrayBufferView) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

  class Engine implements ZlibEngine {
    id: number | undefined;
    state: Uint32Array = new Uint32Array(2);
    onWritten: OnWritten = () => {};
    onerror = () => {};
    readonly mode: number;

    constructor(mode: number) {
      this.mode = mode;
    }
    write(...args: [number, Uint8Array | null, number, number, Uint8Array, number, number]) {
      later(() => {
        if (this.id !== undefined && write(this, ...args)) Reflect.apply(this.onWritten, this, []);
      });
    }
    writeSync(...args: [number, Uint8Array | null, number, number, Uint8Array, number, number]) {
      write(this, ...args);
    }
    reset() {
      call('zlib.reset', this.id);
    }
    params(level: number, strategy: number) {
      call('zlib.params', this.id, level, strategy);
    }
    close() {
      if (this.id !== undefined) call('zlib.close', this.id);
      this.id = undefined;
    }
    getAsyncId() {
      return 0;
    }
  }
  class Zlib extends Engine {
    init(
      windowBits: number,
      level: number,
      memLevel: number,
      strategy: number,
      state: Uint32Array,
      onWritten: OnWritten,
      dictionary?: ArrayBufferView,
    ) {
      const bytes = dictionary === undefined ? undefined : exactBytes(dictionary);
      this.id = call('zlib.open', this.mode, windowBits, level, memLevel, strategy, bytes);
      this.state = state;
      this.onWritten = onWritten;
    }
  }
  class Brotli extends Engine {
    init(params: Uint32Array, state: Uint32Array, onWritten: OnWritten) {
      const set = [...params]
        .map((value, name) => [name, value])
        .filter(([, value]) => value !== 0xff_ff_ff_ff);
      this.id = call('zlib.openBrotli', this.mode, set);
      this.state = state;
      this.onWritten = onWritten;
      return true;
    }
  }
  return {
    Zlib,
    BrotliEncoder: class BrotliEncoder extends Brotli {},
    BrotliDecoder: class BrotliDecoder extends Brotli {},
  };
}
