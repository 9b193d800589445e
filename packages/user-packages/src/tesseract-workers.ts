/** A message to the worker script of tesseract.js. */
export interface Packet {
  readonly action: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface Message {
  readonly status: 'resolve' | 'reject' | 'progress';
  readonly data?: unknown;
}

/** The worker script of tesseract.js: one engine, with the last language and settings that it was given. */
export interface WorkerScript {
  setAdapter(adapter: object): void;
  dispatchHandlers(packet: Packet, answer: (message: Message) => void): void;
}

export interface TesseractWorkersParts {
  readonly script: WorkerScript;
  /** Returns the function that creates an engine. */
  readonly core: () => (options: object) => unknown;
  readonly fetch: unknown;
  readonly gunzip: unknown;
  /** The data of the bundled languages, as base64 of gzip. */
  readonly languages: Readonly<Record<string, () => string>>;
  /** Where tesseract.js downloads languages from by default. */
  readonly usualPath: string;
}

/** Replaces a child process, as far as tesseract.js uses one. */
export interface TesseractWorker {
  on(event: 'message', handler: (message: Message) => void): void;
  send(packet: Packet): void;
  kill(): void;
}

/** The engine's initial memory, which grows on demand. */
const engineBytes = 32 * 1024 * 1024;
/** These messages set the state of the worker that sends them. */
const settings = new Set(['initialize', 'setParameters']);
const withoutSettings = new Set(['load', 'loadLanguage', 'FS']);

/**
 * Creates the function that starts a worker of tesseract.js in the isolate itself. All workers share one engine. Messages
 * are delivered as between processes: asynchronously, and errors of a receiver do not reach the sender.
 */
export function tesseractWorkers(parts: TesseractWorkersParts): () => TesseractWorker {
  const { script, core, fetch, gunzip } = parts;
  let engine: unknown;
  /** The worker whose settings the engine has. */
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
        // Without an `errorHandler`, tesseract.js throws the reason of its rejections.
        if (message.status !== 'reject') throw error;
      }
    }

    const answer = (message: Message) => void setImmediate(tell, message);

    /** Only `load` and `loadLanguage` are asynchronous, so no other worker interferes. */
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

/** Later versions have no `load`, and programs for them do not call it. */
function loaderOf(script: WorkerScript): () => Promise<void> {
  let loaded: Promise<void> | undefined;
  return () =>
    (loaded ??= new Promise((resolve) => {
      const packet = { action: 'load', payload: { options: {} } };
      script.dispatchHandlers(packet, ({ status }) => void (status === 'resolve' && resolve()));
    }));
}

/** Adds the data of bundled languages, unless they are to be downloaded. */
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
