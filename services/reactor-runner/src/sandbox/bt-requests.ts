import { BadOperation, type Operations, text } from '../node16/host/arguments.ts';
import type { EngineLimits } from '../worker-protocol/worker-options.ts';

type BtLimits = Pick<EngineLimits, 'asksAtOnce' | 'asksPerCall' | 'askBytes'>;

export type SendBtRequest = (askId: number, request: Buffer) => void;

/** The worker's side of what the code of an isolate asks for: it goes to the runner, which knows as whom. */
export class BtRequests {
  readonly #limits: BtLimits;
  readonly #onAnswer: () => void;
  #send: SendBtRequest | undefined;
  #lastId = 0;
  #made = 0;
  readonly #open = new Set<number>();
  #answers: [number, string][] = [];

  constructor(limits: BtLimits, onAnswer: () => void) {
    this.#limits = limits;
    this.#onAnswer = onAnswer;
  }

  /** What the isolate calls. */
  get operations(): Operations {
    return {
      ask: (request) => this.#ask(request),
      told: () => {
        const answers = this.#answers;
        this.#answers = [];
        return answers;
      },
    };
  }

  /** An invocation starts that may ask. */
  begin(send: SendBtRequest): void {
    this.#send = send;
  }

  end(): void {
    if (this.#send === undefined) return;
    this.#send = undefined;
    this.#made = 0;
    this.#open.clear();
    this.#answers = [];
  }

  /** An answer to nothing that is open is one for an invocation that has ended. */
  answer(askId: number, answer: Buffer): void {
    if (!this.#open.delete(askId)) return;
    this.#answers.push([askId, answer.toString()]);
    this.#onAnswer();
  }

  #ask(request: unknown): number {
    const { asksAtOnce, asksPerCall, askBytes } = this.#limits;
    const bytes = Buffer.from(text(request, askBytes));
    if (this.#send === undefined) throw new BadOperation('this run has no bt');
    if (bytes.length > askBytes) throw new BadOperation(`a call by bt may have at most ${askBytes} bytes`);
    if (this.#made >= asksPerCall || this.#open.size >= asksAtOnce) {
      throw new BadOperation('a run makes more calls by bt than it may');
    }
    this.#made += 1;
    this.#lastId = (this.#lastId + 1) >>> 0;
    this.#open.add(this.#lastId);
    this.#send(this.#lastId, bytes);
    return this.#lastId;
  }
}
