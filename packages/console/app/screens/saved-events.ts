/** Events that somebody keeps for code, in this browser until they sign out. */
export interface SavedEvent {
  readonly name: string;
  readonly text: string;
}

const prefix = 'glovebox.events.';
const most = 20;

/** @param path of the screen where the code is edited */
export function placeOfEvents(path: string, side: 'request' | 'response' | undefined): string {
  return `${path} ${side ?? ''}`;
}

/** @param of which code ({@link placeOfEvents}), e.g. `/proxies/<id> request` */
export function savedEvents(of: string): readonly SavedEvent[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(prefix + of) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isSaved) : [];
  } catch {
    // Storage may be forbidden, or hold what somebody else has written.
    return [];
  }
}

function isSaved(value: unknown): value is SavedEvent {
  const { name, text } = (value ?? {}) as Partial<SavedEvent>;
  return typeof name === 'string' && typeof text === 'string';
}

/** @returns what is kept then; the name stands for one event */
export function saveEvent(of: string, event: SavedEvent): readonly SavedEvent[] {
  const others = savedEvents(of).filter(({ name }) => name !== event.name);
  return write(of, [event, ...others].slice(0, most));
}

export function forgetEvent(of: string, name: string): readonly SavedEvent[] {
  return write(
    of,
    savedEvents(of).filter((event) => event.name !== name),
  );
}

function write(of: string, events: readonly SavedEvent[]): readonly SavedEvent[] {
  try {
    localStorage.setItem(prefix + of, JSON.stringify(events));
    return events;
  } catch {
    return savedEvents(of);
  }
}

/** With the session everything of it goes. */
export function forgetAllEvents(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
}
