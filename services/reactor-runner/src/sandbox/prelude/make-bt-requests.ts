import type { Bridge } from '../../node16/isolate/bridge.ts';

/** The requests that user code makes by `bt`. They leave the isolate as text, and answers arrive as text. */
export interface BtRequests {
  /** The transport (@glovebox/sdk) of an instance that belongs to one invocation and is dead after it. */
  readonly transportOf: (which: number) => (request: BtRequest) => Promise<BtResponse>;
  /** Resolves requests with the answers that have arrived. */
  readonly deliver: () => void;
  /** Rejects what is under way. */
  readonly clear: () => void;
}

export interface BtRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: object;
  readonly body?: string;
}

export interface BtResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface BtRequestsParts {
  readonly bridge: Bridge;
  /** Whether that invocation goes on. */
  readonly isCurrent: (which: number) => boolean;
  readonly limits: {
    readonly btRequestsAtOnce: number;
    readonly btRequestsPerCall: number;
    readonly btRequestBytes: number;
  };
}

interface Pending {
  readonly text: string;
  readonly resolve: (response: BtResponse) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A request crosses as JSON text `{method, path, query, headers}`, a line feed, and its body; an answer as
 * `{status, headers}`, a line feed, and its body. More requests than may be under way at once wait here, in the memory
 * that the isolate may have anyway.
 */
export function makeBtRequests({ bridge, isCurrent, limits }: BtRequestsParts): BtRequests {
  const { stringify, parse } = JSON;
  const { apply } = Reflect;
  // User code may replace these, so they are taken before any runs.
  // oxlint-disable-next-line typescript/unbound-method
  const { slice, indexOf } = String.prototype;
  const { btRequestsAtOnce, btRequestsPerCall, btRequestBytes } = limits;
  let waiting = new Map<number, Pending>();
  let queue: Pending[] = [];
  let made = 0;
  const ended = () => new Error('the run that this client was made for has ended');

  function refusal(status: number, title: string, detail: string, code: string): BtResponse {
    return { status, headers: {}, body: stringify({ errors: {}, title, status, detail, code }) };
  }

  function send(pending: Pending): void {
    const { v, e } = bridge('bt.request', pending.text);
    if (e === undefined) waiting.set(v!, pending);
    else pending.reject(new Error(e.message));
  }

  function request({ method, path, query, headers, body = '' }: BtRequest): Promise<BtResponse> {
    return new Promise((resolve, reject) => {
      made += 1;
      const text = `${stringify({ method, path, query, headers })}\n${body}`;
      if (made > btRequestsPerCall) {
        const detail = `One run may make at most ${btRequestsPerCall} calls by bt.`;
        resolve(refusal(429, 'Too Many Requests', detail, 'rate_limited'));
      } else if (text.length > btRequestBytes) {
        const detail = `A call by bt may have at most ${btRequestBytes} bytes.`;
        resolve(refusal(413, 'Content Too Large', detail, 'too_large'));
      } else if (waiting.size < btRequestsAtOnce) send({ text, resolve, reject });
      else queue.push({ text, resolve, reject });
    });
  }

  return {
    transportOf: (which) => async (given) => {
      if (!isCurrent(which)) throw ended();
      return request(given);
    },
    deliver() {
      if (waiting.size === 0) return;
      for (const [id, text] of bridge('bt.answers').v!) {
        const end = apply(indexOf, text, ['\n']);
        const head: Pick<BtResponse, 'status' | 'headers'> = parse(apply(slice, text, [0, end]));
        const pending = waiting.get(id);
        waiting.delete(id);
        pending?.resolve({ ...head, body: apply(slice, text, [end + 1]) });
      }
      while (waiting.size < btRequestsAtOnce && queue.length > 0) send(queue.shift()!);
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
