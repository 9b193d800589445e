import { BadOperation, type Operations, text } from '../node16/host/arguments.ts';
import type { EngineLimits } from '../worker-protocol/worker-options.ts';

type BtLimits = Pick<EngineLimits, 'btRequestsAtOnce' | 'btRequestsPerCall' | 'btRequestBytes'>;

export type SendBtRequest = (requestId: number, request: Buffer) => void;

/** The requests by `bt` of one isolate's code. They go to the runner, which knows whose they are. */
export class BtRequests {
  readonly #limits: BtLimits;
  readonly #onAnswer: () => void;
  readonly #onEffect: () => void;
  #send: SendBtRequest | undefined;
  #lastId = 0;
  #made = 0;
  readonly #open = new Set<number>();
  #answers: [number, string][] = [];

  /** @param onEffect called before a request leaves */
  constructor(limits: BtLimits, onAnswer: () => void, onEffect: () => void) {
    this.#limits = limits;
    this.#onAnswer = onAnswer;
    this.#onEffect = onEffect;
  }

  /** What the isolate calls. */
  get operations(): Operations {
    return {
      'bt.request': (request) => this.#request(request),
      'bt.answers': () => {
        const answers = this.#answers;
        this.#answers = [];
        return answers;
      },
    };
  }

  /** Starts an invocation that may make requests. */
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

  /** Hands out an answer; one for an invocation that has ended is dropped. */
  answer(requestId: number, answer: Buffer): void {
    if (!this.#open.delete(requestId)) return;
    this.#answers.push([requestId, answer.toString()]);
    this.#onAnswer();
  }

  #request(request: unknown): number {
    const { btRequestsAtOnce, btRequestsPerCall, btRequestBytes } = this.#limits;
    const bytes = Buffer.from(text(request, btRequestBytes));
    if (this.#send === undefined) throw new BadOperation('this run has no bt');
    if (bytes.length > btRequestBytes)
      throw new BadOperation(`a call by bt may have at most ${btRequestBytes} bytes`);
    if (this.#made >= btRequestsPerCall || this.#open.size >= btRequestsAtOnce) {
      throw new BadOperation('a run makes too many calls by bt');
    }
    this.#onEffect();
    this.#made += 1;
    this.#lastId = (this.#lastId + 1) >>> 0;
    this.#open.add(this.#lastId);
    this.#send(this.#lastId, bytes);
    return this.#lastId;
  }
}
