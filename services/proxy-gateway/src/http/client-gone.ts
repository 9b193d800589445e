import type { ServerResponse } from 'node:http';

/** Whether the client went away before it had its whole answer. */
export const isClientGone = (response: ServerResponse): boolean =>
  response.destroyed && !response.writableFinished;

/** Aborts when the client goes away. Made only where something waits for it: it costs more than most steps. */
export function clientGoneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (isClientGone(response)) gone.abort();
  else {
    response.once('close', () => {
      if (isClientGone(response)) gone.abort();
    });
  }
  return gone.signal;
}
