import type { CreatePlaceCheck } from '../../node16/host/network/reach-check.ts';
import type { WorkerOptions } from '../../worker-protocol/worker-options.ts';
import type { SpareIsolate } from './spare-isolate.ts';
import type { UserIsolate } from './user-isolate.ts';

/** A module's text and the isolates that hold it. */
export interface Code {
  readonly text: string;
  /** Isolates that wait for a call. */
  readonly idle: UserIsolate[];
  /** By performance.now(). */
  usedAt: number;
  isDisposed: boolean;
  /** Decides what its runs may reach; undefined: what the operator allows. */
  createPlaceCheck: CreatePlaceCheck | undefined;
}

const mebibyte = 1024 * 1024;
/** Beyond this share of the process' memory idle isolates are discarded. */
const fullShare = 0.6;
/** They keep this share of it: if something else fills the process, discarding them does not help. */
const idleShare = 0.05;

/** The isolates of a worker process, by the code that they hold; as many as its memory allows. */
export class CodeIsolates {
  readonly #options: Pick<WorkerOptions, 'isolates' | 'processMemoryMb'>;
  readonly #spare: SpareIsolate;
  readonly #codes = new Map<number, Code>();
  #isolates = 0;

  constructor(options: Pick<WorkerOptions, 'isolates' | 'processMemoryMb'>, spare: SpareIsolate) {
    this.#options = options;
    this.#spare = spare;
  }

  load(codeId: number, text: string): void {
    this.#codes.set(codeId, { text, idle: [], usedAt: 0, isDisposed: false, createPlaceCheck: undefined });
  }

  /** @throws Error when the code was not loaded. */
  get(codeId: number): Code {
    const code = this.#codes.get(codeId);
    if (code === undefined) throw new Error(`the code ${codeId} was not loaded`);
    return code;
  }

  dispose(codeId: number): void {
    const code = this.#codes.get(codeId);
    if (code === undefined) return;
    this.#codes.delete(codeId);
    code.isDisposed = true;
    for (const isolate of code.idle) this.discard(isolate);
  }

  /** A new isolate without code. */
  create(): UserIsolate {
    if (this.#isolates >= this.#options.isolates) this.#discardAnIdleOne();
    this.makeRoom();
    this.#isolates += 1;
    return this.#spare.take() ?? this.#spare.create();
  }

  discard(isolate: UserIsolate): void {
    this.#isolates -= 1;
    isolate.dispose();
  }

  /** Discards the isolate if it waits for a call. */
  discardIdle(isolate: UserIsolate): void {
    for (const { idle } of this.#codes.values()) {
      const at = idle.indexOf(isolate);
      if (at < 0) continue;
      idle.splice(at, 1);
      this.discard(isolate);
    }
  }

  /** Discards idle isolates while the process is close to the size at which the runner ends it. */
  makeRoom(): void {
    while (this.#isFull() && this.#idleHoldMuch() && this.#discardAnIdleOne());
  }

  #isFull(): boolean {
    return process.memoryUsage.rss() > fullShare * this.#options.processMemoryMb * mebibyte;
  }

  #idleHoldMuch(): boolean {
    const idle = [...this.#codes.values()].flatMap((code) => code.idle);
    const held = idle.reduce((sum, isolate) => sum + isolate.heldBytes, 0);
    return held > idleShare * this.#options.processMemoryMb * mebibyte;
  }

  /** Of the code that has not been used for the longest. @returns whether there was one. */
  #discardAnIdleOne(): boolean {
    let oldest: Code | undefined;
    for (const code of this.#codes.values()) {
      if (code.idle.length > 0 && code.usedAt < (oldest?.usedAt ?? Infinity)) oldest = code;
    }
    const isolate = oldest?.idle.shift();
    if (isolate !== undefined) this.discard(isolate);
    return isolate !== undefined;
  }
}
