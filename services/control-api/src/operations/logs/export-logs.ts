import { randomUUID } from 'node:crypto';

import type { Queryable } from '@glovebox/platform/db/postgres';
import { type ChainedLine, chainedLine, noDigest } from '@glovebox/platform/signed-log/chain';

import type { LogFilter } from '../../audit/log-entry.ts';
import type { AuditSource, ExportSigner } from '../../audit/vault-sources.ts';
import type { Call, Reply } from '../../http/call.ts';
import { showMoment } from '../../http/moment.ts';
import { everyEntry } from './every-entry.ts';
import { readExportQuery } from './read-log-query.ts';
import { showLog } from './show-log.ts';

export interface ExportDependencies {
  readonly postgres: Queryable;
  readonly audit: AuditSource;
  readonly exportSigner: ExportSigner;
}

/** Entries between two checkpoints: so many lines are in doubt at most when a signature does not match. */
const entriesBetween = 1000;
/** A transaction that began earlier has ended: its entries can no longer appear. */
const settledMs = 60_000;

/**
 * The log of a period with its proof (contract/audit-export.md). It is written as fast as the client reads, and
 * ends with the connection.
 */
export async function exportLogs(dependencies: ExportDependencies, call: Call): Promise<Reply> {
  const { principal, query, correlationId } = call;
  const now = Date.now();
  const filter = readExportQuery(principal.tenantId, query, now);
  const lines = new ExportLines(dependencies.exportSigner, filter, correlationId, now);
  return {
    status: 200,
    stream: { type: 'application/x-ndjson', chunks: write(dependencies, lines, filter, correlationId) },
  };
}

async function* write(
  dependencies: ExportDependencies,
  lines: ExportLines,
  filter: LogFilter,
  correlationId: string,
): AsyncGenerator<string> {
  let held = lines.header();
  for await (const entry of everyEntry(dependencies, filter, correlationId)) {
    held += lines.entry(showLog(filter.tenantId, entry));
    if (lines.entries % entriesBetween === 0) {
      yield held + (await lines.checkpoint(false));
      held = '';
    }
  }
  yield held + (await lines.checkpoint(true));
}

class ExportLines {
  readonly #signer: ExportSigner;
  readonly #correlationId: string;
  readonly #about: {
    readonly tenantId: string;
    readonly exportId: string;
    readonly from: string;
    readonly to: string;
  };
  readonly #header: object;
  #line = 0;
  #entries = 0;
  #previous: Uint8Array = noDigest;

  constructor(signer: ExportSigner, { tenantId, from, to }: LogFilter, correlationId: string, now: number) {
    this.#signer = signer;
    this.#correlationId = correlationId;
    this.#about = { tenantId, exportId: randomUUID(), from: showMoment(from), to: showMoment(to) };
    this.#header = {
      format: 'glovebox-audit-export/1',
      id: this.#about.exportId,
      tenant_id: tenantId,
      from: this.#about.from,
      to: this.#about.to,
      complete_until: showMoment(Math.min(to, (now - settledMs) * 1000)),
      created_at: new Date(now).toISOString(),
    };
  }

  get entries(): number {
    return this.#entries;
  }

  header(): string {
    return this.#add(chainedLine(this.#previous, { type: 'header', line: 1, ...this.#header }));
  }

  entry(entry: object): string {
    this.#entries += 1;
    return this.#add(chainedLine(this.#previous, { type: 'entry', line: this.#line + 1, entry }));
  }

  async checkpoint(final: boolean): Promise<string> {
    const state = {
      ...this.#about,
      line: this.#line + 1,
      entries: this.#entries,
      final,
      previous: this.#previous,
    };
    return this.#add(await this.#signer.checkpoint(state, this.#correlationId));
  }

  #add({ text, digest }: ChainedLine): string {
    this.#line += 1;
    this.#previous = digest;
    return text;
  }
}
