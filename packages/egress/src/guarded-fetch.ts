import { type Dispatcher, type RequestInit, type Response, fetch } from 'undici';

/** For libraries that send their requests by `fetch`: every one goes through the dispatcher, a guarded one. */
export function guardedFetch(
  dispatcher: Dispatcher,
): (url: string, options: RequestInit) => Promise<Response> {
  return (url, options) => fetch(url, { ...options, dispatcher });
}
