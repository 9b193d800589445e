import { useEffect, useRef, useState } from 'react';

import { ApiError, follow } from './client.ts';

const pauseMs = 1000;
/** What comes meanwhile is shown together, however much that is. */
const drawEveryMs = 250;

/** What a stream brings while it is followed. */
export interface Followed<T> {
  /** Newest first. */
  readonly items: readonly T[];
  /** More came than could be sent, or than are kept here. */
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
    const drawing = new Drawing<T>((came, skipped) =>
      setFollowed(({ items, hasSkipped }) => {
        const all = [...came, ...items];
        return {
          items: all.slice(0, most),
          hasSkipped: hasSkipped || skipped || all.length > most,
          error: undefined,
        };
      }),
    );
    void (async () => {
      let after: string | undefined;
      while (!leaving.signal.aborted) {
        try {
          after = await follow(path, { after, signal: leaving.signal }, (events) => {
            const came = events.filter(({ type }) => type !== 'skipped');
            const items = came.map(({ data }) => JSON.parse(data) as T);
            drawing.add(items, came.length < events.length);
          });
        } catch (error) {
          if (leaving.signal.aborted) return;
          const isFinal = error instanceof ApiError && error.status < 500 && error.status !== 429;
          if (isFinal) return setFollowed((known) => ({ ...known, error }));
        }
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    })();
    return () => {
      leaving.abort();
      drawing.stop();
    };
  }, [path, most]);
  return followed;
}

/** Collects what comes, and hands it on a few times in a second. */
class Drawing<T> {
  readonly #draw: (came: readonly T[], hasSkipped: boolean) => void;
  #waiting: T[] = [];
  #hasSkipped = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param draw gets the newest first */
  constructor(draw: (came: readonly T[], hasSkipped: boolean) => void) {
    this.#draw = draw;
  }

  add(came: readonly T[], hasSkipped: boolean): void {
    this.#waiting.push(...came);
    this.#hasSkipped ||= hasSkipped;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const waiting = this.#waiting.toReversed();
      this.#waiting = [];
      this.#draw(waiting, this.#hasSkipped);
      this.#hasSkipped = false;
    }, drawEveryMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
