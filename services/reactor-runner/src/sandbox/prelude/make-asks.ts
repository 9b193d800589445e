import type { Bridge } from '../../node16/isolate/bridge.ts';

/** What user code asks the service for through `bt`: requests go out and answers come back as text. */
export interface Asks {
  /** The transport (@glovebox/sdk) of an instance that belongs to one invocation and is dead after it. */
  readonly transportOf: (which: number) => (request: AskedRequest) => Promise<AskedResponse>;
  /** Hands out the answers that have come. */
  readonly deliver: () => void;
  /** What is under way concerns nobody any more. */
  readonly clear: () => void;
}

export interface AskedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: object;
  readonly body?: string;
}

export interface AskedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface AsksParts {
  readonly bridge: Bridge;
  /** Whether that invocation goes on. */
  readonly isCurrent: (which: number) => boolean;
  readonly limits: {
    readonly asksAtOnce: number;
    readonly asksPerCall: number;
    readonly askBytes: number;
  };
}

interface Pending {
  readonly text: string;
  readonly resolve: (response: AskedResponse) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A request crosses as JSON text `{method, path, query, headers}`, a line feed, and its body; an answer as
 * `{status, headers}`, a line feed, and its body. More requests than may be under way at once wait here, in the memory
 * that the isolate may have anyway.
 */
export function makeAsks({ bridge, isCurrent, limits }: AsksParts): Asks {
  const { stringify, parse } = JSON;
  const { apply } = Reflect;
  // User code may replace these, so they are taken before any runs.
  // oxlint-disable-next-line typescript/unbound-method
  const { slice, indexOf } = String.prototype;
  const { asksAtOnce, asksPerCall, askBytes } = limits;
  let waiting = new Map<number, Pending>();
  let queue: Pending[] = [];
  let made = 0;
  const ended = () => new Error('the run that this client was made for has ended');

  function refusal(status: number, title: string, detail: string, code: string): AskedResponse {
    return { status, headers: {}, body: stringify({ errors: {}, title, status, detail, code }) };
  }

  function send(pending: Pending): void {
    const { v, e } = bridge('ask', pending.text);
    if (e === undefined) waiting.set(v!, pending);
    else pending.reject(new Error(e.message));
  }

  function ask({ method, path, query, headers, body = '' }: AskedRequest): Promise<AskedResponse> {
    return new Promise((resolve, reject) => {
      made += 1;
      const text = `${stringify({ method, path, query, headers })}\n${body}`;
      if (made > asksPerCall) {
        const detail = `One run may make at most ${asksPerCall} calls by bt.`;
        resolve(refusal(429, 'Too Many Requests', detail, 'rate_limited'));
      } else if (text.length > askBytes) {
        const detail = `A call by bt may have at most ${askBytes} bytes.`;
        resolve(refusal(413, 'Content Too Large', detail, 'too_large'));
      } else if (waiting.size < asksAtOnce) send({ text, resolve, reject });
      else queue.push({ text, resolve, reject });
    });
  }

  return {
    transportOf: (which) => async (request) => {
      if (!isCurrent(which)) throw ended();
      return ask(request);
    },
    deliver() {
      if (waiting.size === 0) return;
      for (const [id, text] of bridge('told').v!) {
        const end = apply(indexOf, text, ['\n']);
        const head: Pick<AskedResponse, 'status' | 'headers'> = parse(apply(slice, text, [0, end]));
        const pending = waiting.get(id);
        waiting.delete(id);
        pending?.resolve({ ...head, body: apply(slice, text, [end + 1]) });
      }
      while (waiting.size < asksAtOnce && queue.length > 0) send(queue.shift()!);
    },
    clear() {
      if (made === 0) return;
      const left = [...waiting.values(), ...queue];
      waiting = new Map();
      queue = [];
      made = 0;
      for (const { reject } of left) reject(ended());
    },
  };
}
