import { EventEmitter } from 'node:events';

import { AppError } from '@glovebox/platform/errors/app-error';
import { expect } from 'chai';

import { HeldBytes, freeBytes } from './body-memory.ts';

describe('the bytes that bodies hold', () => {
  const max = 1_000_000;
  const holderOf = (tenantId: string | undefined) => {
    const response = Object.assign(new EventEmitter(), { closed: false });
    return { response, logFields: { tenantId } };
  };
  const end = ({ response }: ReturnType<typeof holderOf>) => {
    response.closed = true;
    response.emit('close');
  };
  const codeOf = (attempt: () => void): string | undefined => {
    try {
      attempt();
    } catch (error) {
      return error instanceof AppError ? error.code : String(error);
    }
    return undefined;
  };

  it('are counted beyond what is free, in however many pieces they come, until the answer is done', () => {
    const bytes = new HeldBytes(max);
    const holder = holderOf('a');
    for (let piece = 0; piece < 10; piece += 1) bytes.take(holder, freeBytes / 4);
    expect(bytes.held).to.equal(freeBytes * 1.5);
    expect(holder.response.listenerCount('close')).to.equal(1);
    end(holder);
    expect(bytes.held).to.equal(0);
  });

  it('of small bodies are not counted at all', () => {
    const bytes = new HeldBytes(max);
    bytes.take(holderOf('a'), freeBytes);
    expect(bytes.held).to.equal(0);
  });

  it('of one tenant are half of all at the most; others go on', () => {
    const bytes = new HeldBytes(max);
    const first = holderOf('a');
    bytes.take(first, 400_000);
    expect(codeOf(() => bytes.take(holderOf('a'), 300_000))).to.equal('rate_limited');
    expect(codeOf(() => bytes.take(holderOf('b'), 300_000))).to.equal(undefined);
    end(first);
    expect(codeOf(() => bytes.take(holderOf('a'), 300_000))).to.equal(undefined);
  });

  it('are refused to everyone beyond the limit, and what was refused is not held', () => {
    const bytes = new HeldBytes(max);
    for (const tenant of ['a', 'b']) bytes.take(holderOf(tenant), 490_000);
    const held = bytes.held;
    const late = holderOf('c');
    expect(codeOf(() => bytes.take(late, 300_000))).to.equal('unavailable');
    end(late);
    expect(bytes.held).to.equal(held);
  });

  it('of a request whose client has gone are not kept for ever', () => {
    const bytes = new HeldBytes(max);
    const gone = holderOf(undefined);
    end(gone);
    bytes.take(gone, 300_000);
    expect(bytes.held).to.equal(0);
  });
});
