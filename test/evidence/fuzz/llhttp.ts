import { createRequire } from 'node:module';

/** What a parser made of the bytes that came in answer to one request. */
export interface Parsed {
  /** `cut`: it waits for more; `broken`: it refused them. */
  readonly outcome: 'whole' | 'cut' | 'broken';
  /** Undefined: there was no head. */
  readonly status?: number;
  readonly phrase?: string;
  readonly headers: readonly string[];
  readonly body: string;
  readonly trailers: readonly string[];
  /** Bytes behind a whole answer. */
  readonly left: number;
  /** Another answer may follow on the connection. */
  readonly staysOpen: boolean;
}

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  _initialize(): void;
  malloc(size: number): number;
  llhttp_alloc(type: number): number;
  llhttp_free(parser: number): void;
  llhttp_execute(parser: number, data: number, length: number): number;
  llhttp_finish(parser: number): number;
  llhttp_get_error_pos(parser: number): number;
}

/** Node's types have no WebAssembly of their own. */
const { WebAssembly: wasm } = globalThis as unknown as {
  readonly WebAssembly: {
    readonly Module: new (bytes: Buffer) => object;
    readonly Instance: new (module: object, imports: object) => { readonly exports: Exports };
  };
};

const [typeOfResponse, paused] = [2, 21];
const maxBytes = 1024 * 1024;

/** llhttp, by which Node and undici read answers, without any of its lenient flags. */
export class Llhttp {
  readonly #exports: Exports;
  readonly #buffer: number;
  #current: Collected | undefined;

  constructor() {
    const { Module, Instance } = wasm;
    const module = new Module(createRequire(import.meta.url)('undici/lib/llhttp/llhttp-wasm.js') as Buffer);
    const env = {
      wasm_on_url: () => 0,
      wasm_on_message_begin: () => this.#at.begin(),
      wasm_on_status: (_parser: number, at: number, length: number) =>
        this.#at.addPhrase(this.#text(at, length)),
      wasm_on_header_field: (_parser: number, at: number, length: number) =>
        this.#at.addName(this.#text(at, length)),
      wasm_on_header_value: (_parser: number, at: number, length: number) =>
        this.#at.addValue(this.#text(at, length)),
      wasm_on_headers_complete: (_parser: number, status: number, _upgrade: number, staysOpen: number) =>
        this.#at.endHead(status, staysOpen === 1),
      wasm_on_body: (_parser: number, at: number, length: number) => this.#at.addBody(this.#text(at, length)),
      wasm_on_message_complete: () => this.#at.end(),
    };
    this.#exports = new Instance(module, { env }).exports;
    this.#exports._initialize();
    this.#buffer = this.#exports.malloc(maxBytes);
  }

  get #at(): Collected {
    return this.#current as Collected;
  }

  #text(at: number, length: number): string {
    return Buffer.from(this.#exports.memory.buffer, at, length).toString('latin1');
  }

  /** @param ends the connection ends behind the bytes */
  parse(bytes: Buffer, isHead: boolean, ends: boolean): Parsed {
    const { llhttp_alloc, llhttp_execute, llhttp_finish, llhttp_free, llhttp_get_error_pos, memory } =
      this.#exports;
    const collected = new Collected(isHead);
    this.#current = collected;
    new Uint8Array(memory.buffer, this.#buffer, bytes.length).set(bytes);
    for (let at = 0; ;) {
      const parser = llhttp_alloc(typeOfResponse);
      try {
        const result = llhttp_execute(parser, this.#buffer + at, bytes.length - at);
        if (result !== paused) {
          if (result !== 0) return collected.parsed('broken', 0);
          if (ends) llhttp_finish(parser);
          return collected.parsed(collected.isOver ? 'whole' : 'cut', 0);
        }
        at = llhttp_get_error_pos(parser) - this.#buffer;
        if (collected.isOver) return collected.parsed('whole', bytes.length - at);
      } finally {
        llhttp_free(parser);
      }
    }
  }
}

/** Interim answers are passed over, each with a parser of its own: what one says of the connection does not count. */
class Collected {
  readonly #isHead: boolean;
  #status: number | undefined;
  #phrase = '';
  #fields: string[] = [];
  #headers: string[] = [];
  #body = '';
  #staysOpen = false;
  isOver = false;

  constructor(isHead: boolean) {
    this.#isHead = isHead;
  }

  begin(): number {
    this.#status = undefined;
    this.#phrase = '';
    this.#fields = [];
    return 0;
  }

  addPhrase(text: string): number {
    this.#phrase += text;
    return 0;
  }

  addName(text: string): number {
    if (this.#fields.length % 2 === 0) this.#fields.push(text);
    else this.#fields.push((this.#fields.pop() as string) + text);
    return 0;
  }

  addValue(text: string): number {
    if (this.#fields.length % 2 === 1) this.#fields.push(text);
    else this.#fields.push((this.#fields.pop() as string) + text);
    return 0;
  }

  /** @returns 1: no body follows */
  endHead(status: number, staysOpen: boolean): number {
    this.#status = status;
    this.#headers = this.#fields;
    this.#fields = [];
    this.#staysOpen = staysOpen;
    return this.#isHead || status < 200 || status === 204 || status === 304 ? 1 : 0;
  }

  addBody(text: string): number {
    this.#body += text;
    return 0;
  }

  end(): number {
    this.isOver = this.#status !== undefined && this.#status >= 200;
    return paused;
  }

  parsed(outcome: Parsed['outcome'], left: number): Parsed {
    const hasHead = this.#status !== undefined && this.#status >= 200;
    const blank = (text: string) => text.replace(/^[ \t]+|[ \t]+$/g, '');
    return {
      outcome,
      ...(hasHead ? { status: this.#status as number, phrase: this.#phrase } : {}),
      headers: hasHead ? this.#headers.map(blank) : [],
      body: this.#body,
      trailers: hasHead ? this.#fields.map(blank) : [],
      left,
      staysOpen: this.#staysOpen,
    };
  }
}
