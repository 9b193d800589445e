import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { SignedMarker } from '@glovebox/published/marker';

import { type RoundDependencies, isDue } from './publish-round.ts';
import { signAnew } from './sign-anew.ts';

export interface SignatureRenewalOptions extends RoundDependencies {
  readonly logger: Logger;
}

/** How long a superseded record may be put back unnoticed by readers that have never seen the newer one. */
const signAnewAfterMs = 5 * 60_000;

/** After an attempt that did not get to its end. */
const retryAfterMs = 60_000;

/** The share of time that signing anew may take: in a large installation it is due less often. */
const largestShare = 1 / 50;

/** Keeps the signatures under what is published young. */
export class SignatureRenewal implements AsyncDisposable {
  readonly #options: SignatureRenewalOptions;
  /** Processes begin at different times. */
  readonly #jitter = 0.8 + Math.random() * 0.4;
  #isKeyChecked = false;
  #wasWhole = false;
  #signing: Promise<void> | undefined;
  #tookMs = 0;
  #notBefore = 0;

  constructor(options: SignatureRenewalOptions) {
    this.#options = options;
  }

  /**
   * Whether this process begins with another key than the one that has signed what is published: then it publishes
   * everything anew. Once only: while a key is replaced, processes with the old one still run.
   */
  async isKeyNew(): Promise<boolean> {
    if (this.#isKeyChecked) return false;
    const marker = await this.#options.projection.marker();
    return marker !== undefined && !this.#options.projection.isSignedByCurrentKey;
  }

  /** The projection holds what the database holds. */
  markWhole(): void {
    this.#isKeyChecked = true;
    this.#wasWhole = true;
  }

  /** Signs everything anew, in the background, when something was superseded a while ago. */
  signAnewWhenDue({ lastEntry, floor, floorEntry }: SignedMarker): void {
    const pauseMs = Math.max(signAnewAfterMs, this.#tookMs / largestShare) * this.#jitter;
    const now = Date.now();
    if (this.#signing !== undefined || now < this.#notBefore) return;
    if (lastEntry <= floorEntry || now - floor < pauseMs) return;
    this.#signing = this.#signAnew().finally(() => {
      this.#signing = undefined;
    });
  }

  /** While the database is away the marker keeps its age: nothing is published meanwhile, and everything goes on. */
  async renewWithoutDatabase(): Promise<void> {
    const { projection, logger } = this.#options;
    if (!this.#wasWhole) return;
    try {
      await projection.renewWithoutDatabase(isDue);
    } catch (err) {
      logger.warn({ err }, 'the marker was not signed anew');
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#signing;
  }

  async #signAnew(): Promise<void> {
    const { logger } = this.#options;
    const begun = Date.now();
    this.#notBefore = begun + retryAfterMs;
    try {
      const isDone = await signAnew(this.#options);
      this.#tookMs = Date.now() - begun;
      logger.info({ is_done: isDone, took_ms: this.#tookMs }, 'signed the published records anew');
    } catch (err) {
      logger.warn({ err }, 'the published records were not signed anew; a later round will try again');
    }
  }
}
