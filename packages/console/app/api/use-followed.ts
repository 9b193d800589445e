import { useEffect, useRef, useState } from 'react';

import { ApiError, follow } from './client.ts';

const pauseMs = 1000;

/** What a stream brings while it is followed. */
export interface Followed<T> {
  /** Newest first. */
  readonly items: readonly T[];
  /** More came than could be sent. */
  readonly hasSkipped: boolean;
  /** Why it is not followed any more. */
  readonly error: ApiError | undefined;
}

const nothing = { items: [], hasSkipped: false, error: undefined } as const;

/**
 * Follows a stream of events whose data is JSON. A connection that ends is made again from where it was.
 * @param path another one begins anew; undefined: nothing is followed, and what came before stays
 * @param most that are kept
 */
export function useFollowed<T>(path: string | undefined, most: number): Followed<T> {
  const [followed, setFollowed] = useState<Followed<T>>(nothing);
  const before = useRef(path);
  useEffect(() => {
    if (path === undefined) return undefined;
    if (before.current !== path) setFollowed(nothing);
    before.current = path;
    const leaving = new AbortController();
    void (async () => {
      let after: string | undefined;
      while (!leaving.signal.aborted) {
        try {
          after = await follow(path, { after, signal: leaving.signal }, (events) => {
            const came = events
              .filter(({ type }) => type !== 'skipped')
              .map(({ data }) => JSON.parse(data) as T);
            const hasSkipped = came.length < events.length;
            setFollowed(({ items, ...rest }) => ({
              items: [...came.toReversed(), ...items].slice(0, most),
              hasSkipped: rest.hasSkipped || hasSkipped,
              error: undefined,
            }));
          });
        } catch (error) {
          if (leaving.signal.aborted) return;
          const isFinal = error instanceof ApiError && error.status < 500 && error.status !== 429;
          if (isFinal) return setFollowed((known) => ({ ...known, error }));
        }
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    })();
    return () => leaving.abort();
  }, [path, most]);
  return followed;
}
