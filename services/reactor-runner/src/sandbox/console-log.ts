import type { LogEntry } from '../worker-protocol/outcome.ts';

/** The name under which a stack shows what starts the invocation. A stack of Node.js ends in such a file too. */
export const ownFile = 'node:internal/run';

/** Lines of a stack in files of the runner, which user code must not see. */
const ownFrame = new RegExp(`^ *at .*(?:${ownFile}|node:environment)(?::\\d+)*\\)?\\r?\\n?`, 'gm');

/** What one invocation writes to its console. Beyond a limit it only counts. */
export class ConsoleLog {
  readonly #maxLength: number;
  readonly #maxEntries: number;
  #entries: LogEntry[] = [];
  #length = 0;
  #cutEntries = 0;
  #cutLength = 0;

  /** @param maxLength of all texts together, in UTF-16 code units. */
  constructor(maxLength: number, maxEntries: number) {
    this.#maxLength = maxLength;
    this.#maxEntries = maxEntries;
  }

  add(level: LogEntry['level'], written: string): void {
    const room = this.#maxLength - this.#length;
    if (room <= 0 || this.#entries.length >= this.#maxEntries) {
      this.#cut(written.length);
      return;
    }
    const text = withoutOwnFrames(written.slice(0, room));
    if (written.length > room) this.#cut(written.length - room);
    this.#length += Math.min(room, written.length);
    this.#entries.push({ time: Date.now(), level, text: text.endsWith('\n') ? text.slice(0, -1) : text });
  }

  /** Removes all entries and returns them as JSON text; undefined when there are none. */
  take(): Buffer | undefined {
    if (this.#entries.length === 0) return undefined;
    const entries = this.#cutEntries === 0 ? this.#entries : [...this.#entries, this.#whatWasCut()];
    this.#entries = [];
    this.#length = this.#cutEntries = this.#cutLength = 0;
    return Buffer.from(JSON.stringify(entries));
  }

  #cut(length: number): void {
    this.#cutEntries += 1;
    this.#cutLength += length;
  }

  #whatWasCut(): LogEntry {
    const text = `${this.#cutLength} more characters were cut: an invocation may log ${this.#maxLength} characters in ${this.#maxEntries} lines.`;
    return { time: Date.now(), level: 'error', text };
  }
}

function withoutOwnFrames(text: string): string {
  return text.includes('at ') ? text.replaceAll(ownFrame, '') : text;
}
