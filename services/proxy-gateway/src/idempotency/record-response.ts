import type { ServerResponse } from 'node:http';

import type { RawResponse } from '../http/exchange.ts';

export interface RecordedResponse {
  /** Resolves when the response has been stored and has ended. */
  readonly ended: Promise<void>;
  /** Restores the response's own methods. */
  stop(): void;
}

/** A response as it was given; its body is undefined when it was larger than asked for. */
export type Recorded = Omit<RawResponse, 'body'> & { readonly body: Buffer | undefined };

type Chunk = string | Uint8Array;

/**
 * Records a response on its way to the client, and lets it end only after `store`: a client that has seen the end of an
 * answer can have it replayed.
 */
export function recordResponse(
  response: ServerResponse,
  maxBytes: number,
  store: (recorded: Recorded) => Promise<void>,
): RecordedResponse {
  const original = {
    writeHead: response.writeHead.bind(response),
    write: response.write.bind(response),
    end: response.end.bind(response),
  };
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let head: Omit<Recorded, 'body'> = { status: 0, headers: [] };
  const chunks: Buffer[] = [];
  let size = 0;
  let ending = false;
  const record = (chunk: unknown, encoding?: unknown) => {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
    // A copy: the sender may reuse its buffer.
    const bytes =
      typeof chunk === 'string' ? Buffer.from(chunk, encoding as BufferEncoding) : Buffer.from(chunk);
    size += bytes.length;
    if (size <= maxBytes) chunks.push(bytes);
  };
  response.writeHead = (status: number, ...rest: unknown[]) => {
    const headers = rest.at(-1);
    head = { status, headers: Array.isArray(headers) ? (headers as string[]) : [] };
    return Reflect.apply(original.writeHead, response, [status, ...rest]) as ServerResponse;
  };
  response.write = ((chunk: Chunk, ...rest: unknown[]) => {
    record(chunk, rest[0]);
    return Reflect.apply(original.write, response, [chunk, ...rest]) as boolean;
  }) as ServerResponse['write'];
  response.end = ((...args: unknown[]) => {
    if (ending) return response;
    ending = true;
    record(args[0], args[1]);
    const body = size <= maxBytes ? Buffer.concat(chunks) : undefined;
    void store({ ...head, body }).finally(() => {
      Reflect.apply(original.end, response, args);
      resolve();
    });
    return response;
  }) as ServerResponse['end'];
  return { ended, stop: () => Object.assign(response, original) };
}
