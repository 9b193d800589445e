import type { LoggedInvocation } from './invocation.ts';

interface Size {
  readonly count: number;
  readonly bytes: number;
}

/** One tenant's part of a backlog. */
interface Share {
  size: Size;
  readonly byOwner: Map<string, LoggedInvocation[]>;
}

/** At the first limit the owner's oldest invocation is dropped; at the others the newest is refused. */
const maxOfOwner = 20;
const maxOfTenant: Size = { count: 200, bytes: 1024 * 1024 };
const maxOfAll: Size = { count: 1000, bytes: 4 * 1024 * 1024 };

const nothing: Size = { count: 0, bytes: 0 };

/** Invocations that wait to be written. The limits keep an owner from filling its tenant's room, and a tenant from filling all. */
export class Backlog {
  #shares = new Map<string, Share>();
  #size = nothing;

  /** @returns how many invocations were dropped, this one included */
  add(invocation: LoggedInvocation): number {
    const share = this.#shareOf(invocation.tenantId);
    const ofOwner = share.byOwner.get(invocation.owner.id) ?? [];
    const oldest = ofOwner.length === maxOfOwner ? ofOwner.shift() : undefined;
    if (oldest !== undefined) this.#grow(share, -1, -bytesOf(oldest));
    const dropped = oldest === undefined ? 0 : 1;
    const bytes = bytesOf(invocation);
    if (isFull(share.size, bytes, maxOfTenant) || isFull(this.#size, bytes, maxOfAll)) return dropped + 1;
    ofOwner.push(invocation);
    share.byOwner.set(invocation.owner.id, ofOwner);
    this.#grow(share, 1, bytes);
    return dropped;
  }

  /** Takes out all invocations, each owner's oldest first. */
  take(): LoggedInvocation[] {
    const all = [...this.#shares.values()].flatMap(({ byOwner }) => [...byOwner.values()].flat());
    this.#shares = new Map();
    this.#size = nothing;
    return all;
  }

  #shareOf(tenantId: string): Share {
    const known = this.#shares.get(tenantId);
    if (known !== undefined) return known;
    const share = { size: nothing, byOwner: new Map<string, LoggedInvocation[]>() };
    this.#shares.set(tenantId, share);
    return share;
  }

  #grow(share: Share, count: number, bytes: number): void {
    share.size = { count: share.size.count + count, bytes: share.size.bytes + bytes };
    this.#size = { count: this.#size.count + count, bytes: this.#size.bytes + bytes };
  }
}

function isFull(size: Size, more: number, max: Size): boolean {
  return size.count >= max.count || size.bytes + more > max.bytes;
}

const fixedBytes = 1000;

function bytesOf({ outcome, log }: LoggedInvocation): number {
  return fixedBytes + log.length + (outcome.kind === 'threw' ? outcome.thrown.length : 0);
}
