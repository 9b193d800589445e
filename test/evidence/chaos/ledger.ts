import type { Received } from '../../harness/destination.ts';

/** What was acknowledged, and what arrived: what has to be there in the end, and what must not have come twice. */
export class Ledger {
  /** Data by the id of its token. */
  readonly tokens = new Map<string, string>();
  /** The last count that a token's metadata was acknowledged to hold, and the last that was sent. */
  readonly counted = { id: '', acknowledged: 0, sent: 0 };
  readonly proxies: { readonly id: string; readonly key: string }[] = [];
  readonly version = { id: '', acknowledged: 0, sent: 0 };
  readonly accepted = new Set<string>();
  /** How often each request arrived, by its number. */
  readonly arrived = new Map<string, number>();
  /** Events by their id, as often as they were answered with success. */
  readonly events = new Map<string, number>();
  /** Requests whose path and body were of two versions of one proxy. */
  readonly torn: string[] = [];

  note({ url, headers, body }: Received): void {
    const number = headers['x-number'];
    if (typeof number === 'string') this.#count(this.arrived, number);
    if (url === '/events') this.#count(this.events, String(headers['webhook-id'] ?? eventId(body)));
    const path = /^\/v(\d+)/.exec(url)?.[1];
    const inBody = /"version":(\d+)/.exec(body.toString())?.[1];
    if (path !== undefined && path !== inBody)
      this.torn.push(`the path of version ${path} with the code of ${inBody}`);
  }

  get duplicates(): string[] {
    return [...this.arrived].filter(([, times]) => times > 1).map(([number]) => number);
  }

  #count(counts: Map<string, number>, key: string): void {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
}

function eventId(body: Buffer): string {
  try {
    return String((JSON.parse(body.toString()) as { event?: { id?: unknown } }).event?.id);
  } catch {
    return 'none';
  }
}
