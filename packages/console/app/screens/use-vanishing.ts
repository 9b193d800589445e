import { useEffect } from 'react';

/** After that a value is gone from the page. */
const shownMs = 30_000;

/** @param isShown from when on the time counts */
export function useVanishing(isShown: boolean, end: () => void): void {
  useEffect(() => {
    if (!isShown) return undefined;
    const timer = setTimeout(end, shownMs);
    return () => clearTimeout(timer);
  }, [isShown, end]);
}
