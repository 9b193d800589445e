/** A message to the worker script of tesseract.js. */
export interface Packet {
  readonly action: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface Message {
  readonly status: 'resolve' | 'reject' | 'progress';
  readonly data?: unknown;
}

/** The worker script of tesseract.js: one engine, which knows the language and settings that it was told last. */
export interface WorkerScript {
  setAdapter(adapter: object): void;
  dispatchHandlers(packet: Packet, answer: (message: Message) => void): void;
}

export interface TesseractWorkersParts {
  readonly script: WorkerScript;
  /** Gives the function that makes an engine. */
  readonly core: () => (options: object) => unknown;
  readonly fetch: unknown;
  readonly gunzip: unknown;
  /** The data of the languages that need not be fetched, as base64 of gzip. */
  readonly languages: Readonly<Record<string, () => string>>;
  /** Where tesseract.js gets a language from when nobody says otherwise. */
  readonly usualPath: string;
}

/** In place of a child process: what tesseract.js uses of one. */
export interface TesseractWorker {
  on(event: 'message', handler: (message: Message) => void): void;
  send(packet: Packet): void;
  kill(): void;
}

/** What the engine has to start with; it takes more when it needs more. */
const engineBytes = 32 * 1024 * 1024;
/** What these say holds for the worker that says it. */
const settings = new Set(['initialize', 'setParameters']);
const withoutSettings = new Set(['load', 'loadLanguage', 'FS']);

/**
 * Makes the function that starts a worker of tesseract.js in the isolate itself. All of them share one engine. Messages
 * pass as they do between processes: later, and what a receiver throws is nothing to the sender.
 */
export function tesseractWorkers(parts: TesseractWorkersParts): () => TesseractWorker {
  const { script, core, fetch, gunzip } = parts;
  let engine: unknown;
  /** Whose settings the engine has. */
  let tunedFor: object | undefined;
  const load = loaderOf(script);

  script.setAdapter({
    getCore: () => (options: object) => (engine ??= core()({ ...options, INITIAL_MEMORY: engineBytes })),
    fetch,
    gunzip,
    readCache: () => Promise.reject(new Error('there are no files')),
    writeCache: () => Promise.resolve(),
  });

  return () => {
    let told: Packet[] = [];
    let handler: ((message: Message) => void) | undefined;

    function tell(message: Message): void {
      try {
        handler?.(message);
      } catch (error) {
        // Without an `errorHandler` tesseract.js throws what it has rejected a promise with.
        if (message.status !== 'reject') throw error;
      }
    }

    const answer = (message: Message) => void setImmediate(tell, message);

    /** Nothing but `load` and `loadLanguage` goes on after it, so no other worker comes in between. */
    function handle(packet: Packet): void {
      const { action } = packet;
      if (action === 'initialize') told = [];
      else if (!withoutSettings.has(action) && tunedFor !== worker) {
        if (told.length === 0) return answer({ ...packet, status: 'reject', data: 'not initialized' });
        for (const before of told) script.dispatchHandlers(before, () => {});
      }
      if (settings.has(action)) told.push(packet);
      if (!withoutSettings.has(action)) tunedFor = worker;
      const complete = action === 'loadLanguage' ? withLanguages(packet, parts) : packet;
      script.dispatchHandlers(complete, answer);
    }

    const worker: TesseractWorker = {
      on(_event, listener) {
        handler = listener;
      },
      send(packet) {
        setImmediate(() => {
          if (packet.action === 'load') return handle(packet);
          load().then(
            () => handle(packet),
            (error: unknown) => answer({ ...packet, status: 'reject', data: String(error) }),
          );
        });
      },
      kill() {
        handler = undefined;
      },
    };
    return worker;
  };
}

/** Later versions have no `load`, and programs for them do without it. */
function loaderOf(script: WorkerScript): () => Promise<void> {
  let loaded: Promise<void> | undefined;
  return () =>
    (loaded ??= new Promise((resolve) => {
      const packet = { action: 'load', payload: { options: {} } };
      script.dispatchHandlers(packet, ({ status }) => void (status === 'resolve' && resolve()));
    }));
}

/** With the data of each language that is here, unless it is to come from elsewhere. */
function withLanguages(packet: Packet, { languages, usualPath }: TesseractWorkersParts): Packet {
  const { langs, options } = packet.payload as { langs: string | unknown[]; options: { langPath: string } };
  if (options.langPath !== usualPath) return packet;
  const list = typeof langs === 'string' ? langs.split('+') : langs;
  const withData = list.map((code) => {
    if (typeof code !== 'string' || !Object.hasOwn(languages, code)) return code;
    return { code, data: Buffer.from((languages[code] as () => string)(), 'base64') };
  });
  return { ...packet, payload: { ...packet.payload, langs: withData } };
}
