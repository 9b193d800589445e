import type { CodeReach } from '../worker-protocol/code-reach.ts';

/**
 * Codes that one worker holds, each with an isolate or more while there is memory for it (sandbox/isolated-vm/code-isolates.ts). A code
 * that is not held costs a cold start.
 */
export const maxCodes = 128;

export interface CodeEntry {
  readonly codeId: number;
  /** The worker does not have it yet. */
  readonly isNew: boolean;
  /** What it may reach, where that is another than the worker knows. */
  readonly newReach?: CodeReach;
  /** The id of a code that was evicted. */
  readonly forgotten?: number;
}

/** Isolates are shared only by the runs of one version of a code. */
export interface VersionedCode {
  readonly code: string;
  /** Names the version of the transform or reactor (docs/adr/0049); absent for code that belongs to neither. */
  readonly codeVersion?: string;
  /** Absent: what the operator allows. The same object for the same reach. */
  readonly reach?: CodeReach | undefined;
}

interface KnownCode {
  readonly code: string;
  readonly codeId: number;
  reach: CodeReach | undefined;
}

/** Of code without lists, once it has had one. */
const anywhere: CodeReach = {};

/** Which code a call is of: its version, or its text. */
export function keyOf({ code, codeVersion = code }: VersionedCode): string {
  return codeVersion;
}

/** The codes that a worker holds, by id. Looking a text up costs less than hashing it. */
export class CodeTable {
  readonly #ids = new Map<string, KnownCode>();
  #lastId = 0;

  idOf({ code, codeVersion = code, reach }: VersionedCode): CodeEntry {
    const known = this.#ids.get(codeVersion);
    // The text is compared too, so that a wrong version never gets an isolate of another code.
    if (known?.code === code) {
      if (this.#ids.size === maxCodes) this.#touch(codeVersion, known);
      if (known.reach === reach) return { codeId: known.codeId, isNew: false };
      known.reach = reach;
      return { codeId: known.codeId, isNew: false, newReach: reach ?? anywhere };
    }
    const forgotten = known === undefined ? this.#makeRoom() : known.codeId;
    this.#lastId += 1;
    this.#ids.set(codeVersion, { code, codeId: this.#lastId, reach });
    return {
      codeId: this.#lastId,
      isNew: true,
      ...(reach === undefined ? {} : { newReach: reach }),
      ...(forgotten === undefined ? {} : { forgotten }),
    };
  }

  /** A map keeps the order of insertion: the most recently used code is last. */
  #touch(codeVersion: string, known: KnownCode): void {
    this.#ids.delete(codeVersion);
    this.#ids.set(codeVersion, known);
  }

  #makeRoom(): number | undefined {
    if (this.#ids.size < maxCodes) return undefined;
    const oldest = this.#ids.entries().next().value;
    if (oldest === undefined) return undefined;
    this.#ids.delete(oldest[0]);
    return oldest[1].codeId;
  }
}
