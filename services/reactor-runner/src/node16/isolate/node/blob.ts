import type { Exports } from '../node-internals.ts';
import type { Scope } from '../scope.ts';

interface BlobOptions {
  readonly type?: unknown;
  readonly endings?: string;
}

/** `internal/blob` of Node's library, whose blobs are kept outside of V8's heap: here they are bytes of the isolate. */
export function blobModule(load: Scope['load']): Exports {
  const held = new WeakMap<object, Uint8Array>();
  const buffers = () => load('buffer').Buffer;
  const invalid = (...args: unknown[]) => new (load('internal/errors').codes.ERR_INVALID_ARG_TYPE)(...args);
  const isList = (value: unknown): value is Iterable<unknown> =>
    typeof value === 'object' && value !== null && Symbol.iterator in value;
  const bytesOf = (blob: object): Uint8Array => {
    const bytes = held.get(blob);
    if (bytes === undefined) throw invalid('this', 'Blob', blob);
    return bytes;
  };
  const partOf = (source: unknown, endings: string): Uint8Array => {
    if (ArrayBuffer.isView(source))
      return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
    if (source instanceof ArrayBuffer) return new Uint8Array(source);
    const bytes = held.get(Object(source));
    if (bytes !== undefined) return bytes;
    const text = String(source);
    return buffers().from(endings === 'native' ? text.replace(/\r\n?|\n/g, '\n') : text);
  };
  const typeFrom = (type: unknown) => {
    const text = String(type);
    return /[^ -~]/.test(text) ? '' : text.toLowerCase();
  };

  class Blob {
    readonly #type: string;

    constructor(sources: unknown = [], options: BlobOptions = {}) {
      if (!isList(sources)) throw invalid('sources', 'a sequence', sources);
      if (options === null || typeof options !== 'object') throw invalid('options', 'Object', options);
      const { endings = 'transparent' } = options;
      const parts = [...sources].map((source) => partOf(source, endings));
      held.set(this, Uint8Array.from(buffers().concat(parts)));
      this.#type = typeFrom(options.type ?? '');
    }

    get size(): number {
      return bytesOf(this).length;
    }

    get type(): string {
      return this.#type;
    }

    slice(start?: number, end?: number, type: unknown = ''): Blob {
      return new Blob([bytesOf(this).subarray(start ?? 0, end)], { type });
    }

    async arrayBuffer(): Promise<ArrayBufferLike> {
      return bytesOf(this).slice().buffer;
    }

    async text(): Promise<string> {
      return buffers().from(bytesOf(this)).toString();
    }

    get [Symbol.toStringTag](): string {
      return 'Blob';
    }

    [Symbol.for('nodejs.util.inspect.custom')](depth: number, options: object): unknown {
      if (depth < 0) return this;
      const { inspect } = load('internal/util/inspect');
      return `Blob ${inspect({ size: this.size, type: this.type }, options)}`;
    }
  }

  const isBlob = (value: unknown) => value instanceof Blob;
  return { Blob, isBlob, resolveObjectURL: () => undefined, createObjectURL: () => undefined };
}
