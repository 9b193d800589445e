import type { KeyObject } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Transacting } from '@glovebox/platform/db/postgres';

import { newAuditKey, unwrapAuditKey } from '../crypto/audit-key.ts';
import type { KeyProvider } from '../crypto/key-provider.ts';
import { insertAuditKey, readAuditKey } from '../store/audit-keys.ts';
import { dropPartition, partitionsBefore, rangesOf } from '../store/audit-partitions.ts';
import {
  auditWriters,
  insertSeal,
  lastAuditId,
  lastSeal,
  nextRange,
  oldestBefore,
  purgeRange,
  takeSealLock,
} from '../store/audit-seals.ts';
import { digestOf, purgeProof } from './seal-digest.ts';

const pollMs = 50;
const patienceMs = 5000;

/** Seals the audit log and purges old ranges, without blocking writers. One vault seals at a time. */
export class AuditSeals {
  readonly #postgres: Transacting;
  readonly #provider: KeyProvider;
  #key: KeyObject | undefined;

  constructor(postgres: Transacting, provider: KeyProvider) {
    this.#postgres = postgres;
    this.#provider = provider;
  }

  /** Drops the key from memory. */
  drop(): void {
    this.#key = undefined;
  }

  /** Seals all rows below which no row can appear any more. Rejects when a writer does not finish in time. */
  async seal(): Promise<void> {
    const horizon = await this.#settledId();
    for (let more = true; more;) more = await this.#sealRange(await this.#auditKey(), horizon);
  }

  /**
   * Drops the partitions that end before a moment. The partition from before there were any holds much older rows than
   * its newest: of that one, ranges whose rows are all older are removed.
   */
  async purge(before: Date): Promise<void> {
    for (const partition of await partitionsBefore(this.#postgres, before)) await this.#drop(partition);
    for (;;) {
      const oldest = await oldestBefore(this.#postgres, before);
      if (oldest === undefined) return;
      const purgedAt = String(Date.now() * 1000);
      const proof = purgeProof(await this.#auditKey(), oldest.digest, purgedAt);
      await purgeRange(this.#postgres, oldest.number, purgedAt, proof);
    }
  }

  async #drop(partition: string): Promise<void> {
    const purgedAt = String(Date.now() * 1000);
    const key = await this.#auditKey();
    const ranges = await rangesOf(this.#postgres, partition);
    const proofs = ranges.map(({ number, digest }) => ({ number, proof: purgeProof(key, digest, purgedAt) }));
    await dropPartition(this.#postgres, partition, purgedAt, proofs);
  }

  /** The highest id below which every row is committed: waits for all current writers, because ids come before commits. */
  async #settledId(): Promise<string> {
    const id = await lastAuditId(this.#postgres);
    const writers = new Set(await auditWriters(this.#postgres));
    const deadline = performance.now() + patienceMs;
    while (writers.size > 0) {
      if (performance.now() > deadline)
        throw new Error('a transaction that writes to the audit log does not end');
      await sleep(pollMs);
      const now = new Set(await auditWriters(this.#postgres));
      for (const writer of writers) if (!now.has(writer)) writers.delete(writer);
    }
    return id;
  }

  #sealRange(key: KeyObject, horizon: string): Promise<boolean> {
    return this.#postgres.transaction(async (tx) => {
      if (!(await takeSealLock(tx))) return false;
      const previous = await lastSeal(tx);
      const next = await nextRange(tx, previous.lastId, horizon);
      if (next === undefined) return false;
      const range = { ...next, number: String(BigInt(previous.number) + 1n) };
      await insertSeal(tx, range, digestOf(key, previous.digest, range));
      return true;
    });
  }

  async #auditKey(): Promise<KeyObject> {
    if (this.#key !== undefined) return this.#key;
    let stored = await readAuditKey(this.#postgres);
    if (stored === undefined) {
      await insertAuditKey(this.#postgres, await newAuditKey(this.#provider));
      stored = await readAuditKey(this.#postgres);
    }
    if (stored === undefined) throw new Error('the database did not keep the key of the seals');
    this.#key = await unwrapAuditKey(this.#provider, stored);
    return this.#key;
  }
}
