import { expect } from 'chai';

import type { ToWorker } from '../worker-protocol/messages.ts';
import type { Outcome, Unfinished } from '../worker-protocol/outcome.ts';
import type { AnswerBtRequest } from './call-bt-requests.ts';
import { WorkerCalls } from './worker-calls.ts';

const settled = (callId: number) =>
  ({ type: 'settled', callId, tookMs: 0, heldKb: 0, outcome: { kind: 'cancelled' } }) as const;
const asks = (callId: number, requestId = 1, text = 'x') =>
  ({ type: 'btRequest', callId, requestId, request: Buffer.from(text) }) as const;

/** Whatever a worker says is said here: one that user code has broken out of says what it likes. */
describe('the calls that are in a worker', () => {
  let sent: ToWorker[];
  let calls: WorkerCalls;
  beforeEach(() => {
    sent = [];
    calls = new WorkerCalls({
      limits: {
        btRequestsAtOnce: 3,
        btRequestsPerCall: 5,
        suspendedPerWorker: 2,
        logLength: 100,
        logLines: 10,
      },
      send: (message) => sent.push(message),
      backlog: () => 0,
    });
  });

  /** A call whose asks are answered with `name`, in which they are noted. */
  function begin(name: string, answer?: AnswerBtRequest) {
    const asked: { text: string; signal: AbortSignal }[] = [];
    const outcomes: (Outcome | Unfinished)[] = [];
    const answerAs: AnswerBtRequest = async (request, signal) => {
      asked.push({ text: request.toString(), signal });
      return Buffer.from(name);
    };
    const lifetime = { deadline: Infinity, cancelled: false, signal: new AbortController().signal };
    const done = (outcome: Outcome | Unfinished) => void outcomes.push(outcome);
    const id = calls.begin(
      { timeoutMs: 1000, lifetime, done, isMovable: true, code: name, answer: answer ?? answerAs },
      0,
    );
    return { id, asked, outcomes };
  }
  const tick = () => new Promise((resolve) => setImmediate(resolve));

  it('are the only ones that the worker is heard about', () => {
    const { id } = begin('a');
    for (const message of [settled(id + 1), { type: 'suspended', callId: id + 1 } as const, asks(id + 1)]) {
      expect(() => calls.receive(message)).to.throw('no call 2 is in the worker');
    }
    expect(calls.open).to.equal(1);
  });

  it('are suspended once, and have one log', () => {
    const { id } = begin('a');
    calls.receive({ type: 'suspended', callId: id });
    expect(() => calls.receive({ type: 'suspended', callId: id })).to.throw('suspended more than once');
    calls.receive({ type: 'logged', callId: id, log: Buffer.from('[]') });
    expect(() => calls.receive({ type: 'logged', callId: id, log: Buffer.from('[]') })).to.throw('one log');
  });

  it('ask each as what it is, whatever the worker mixes up', async () => {
    const [a, b] = [begin('a'), begin('b')];
    calls.receive(asks(b.id, 7, 'of b'));
    calls.receive(asks(a.id, 7, 'of a'));
    await tick();
    expect(a.asked.map(({ text }) => text)).to.deep.equal(['of a']);
    expect(b.asked.map(({ text }) => text)).to.deep.equal(['of b']);
    expect(sent).to.have.deep.members([
      { type: 'btResponse', callId: a.id, requestId: 7, response: Buffer.from('a') },
      { type: 'btResponse', callId: b.id, requestId: 7, response: Buffer.from('b') },
    ]);
  });

  it('ask for nothing when they have no bt', () => {
    const done = () => {};
    const call = { timeoutMs: 1000, lifetime: undefined, done, isMovable: true, code: '', answer: undefined };
    const id = calls.begin(call, 0);
    expect(() => calls.receive(asks(id))).to.throw('a call without bt sends a bt request');
  });

  it('send no request after they have ended, and get no answer to those under way', async () => {
    let answer = (_text: Buffer) => {};
    const slow = begin('slow', (_request, signal) => {
      slow.asked.push({ text: '', signal });
      return new Promise((resolve) => (answer = resolve));
    });
    calls.receive(asks(slow.id));
    calls.receive({ type: 'suspended', callId: slow.id });
    expect(slow.asked[0]?.signal.aborted).to.equal(false);
    calls.receive(settled(slow.id));
    expect(slow.asked[0]?.signal.aborted).to.equal(true);
    answer(Buffer.from('too late'));
    await tick();
    expect(sent).to.deep.equal([]);
    expect(() => calls.receive(asks(slow.id, 2))).to.throw('no call 1 is in the worker');
  });

  it('have at most so many asks under way, each under an id of its own', async () => {
    const never = begin('never', () => new Promise(() => {}));
    for (const requestId of [1, 2, 3]) calls.receive(asks(never.id, requestId));
    expect(() => calls.receive(asks(never.id, 4))).to.throw('more than it may');
    const twice = begin('twice', () => new Promise(() => {}));
    calls.receive(asks(twice.id, 1));
    expect(() => calls.receive(asks(twice.id, 1))).to.throw('more than it may');
  });

  it('make at most so many asks in all', async () => {
    const { id } = begin('a');
    for (let requestId = 1; requestId <= 5; requestId += 1) {
      calls.receive(asks(id, requestId));
      await tick();
    }
    expect(() => calls.receive(asks(id, 6))).to.throw('more than it may');
  });

  it('leave room for those that they wait for', () => {
    for (let n = 0; n < 2; n += 1) {
      const { id } = begin('waits');
      calls.receive({ type: 'suspended', callId: id });
    }
    expect([0, 1].map((depth) => calls.hasRoom(depth))).to.deep.equal([false, true]);
    for (let n = 0; n < 2; n += 1) {
      const { id } = begin('waits too');
      calls.receive({ type: 'suspended', callId: id });
    }
    expect([0, 1, 2].map((depth) => calls.hasRoom(depth))).to.deep.equal([false, false, true]);
  });

  it('all end with the worker, and what they asked for with them', () => {
    const [a, b] = [begin('a'), begin('b')];
    calls.receive(asks(a.id));
    calls.receive({ type: 'suspended', callId: a.id });
    calls.endAll('distrusted');
    expect([a.outcomes, b.outcomes]).to.deep.equal([[{ kind: 'crashed' }], [{ kind: 'crashed' }]]);
    expect(a.asked[0]?.signal.aborted).to.equal(true);
    expect(calls.open).to.equal(0);
  });

  const again = (isSuspect: boolean) => ({
    kind: 'unfinished',
    hasBegun: true,
    isSuspect,
    wasMoved: false,
  });

  it('can begin again elsewhere after another has ended their worker, unless they have had an effect', () => {
    const [loops, waits, asked, called] = [begin('loops'), begin('waits'), begin('asked'), begin('called')];
    for (const { id } of [waits, asked, called]) calls.receive({ type: 'suspended', callId: id });
    calls.receive(asks(asked.id));
    calls.noteEffect(called.id);
    calls.hold();
    calls.noteBusy(loops.id, 7, 2000);
    calls.takeBack(loops.id);
    calls.endAll('died');
    expect(loops.outcomes).to.deep.equal([{ kind: 'crashed' }]);
    expect(waits.outcomes).to.deep.equal([again(false)]);
    expect([asked.outcomes, called.outcomes]).to.deep.equal([
      [{ kind: 'worker_lost' }],
      [{ kind: 'worker_lost' }],
    ]);
  });

  it('cannot be distinguished when their worker dies unseen: the first one is the suspect', () => {
    const [first, second] = [begin('first'), begin('second')];
    calls.endAll('died');
    expect([first.outcomes, second.outcomes]).to.deep.equal([[again(true)], [again(false)]]);
  });

  it('are at fault when they die alone, except by a signal from outside', () => {
    const alone = begin('alone');
    calls.endAll('died');
    const killed = begin('killed');
    calls.endAll('killed');
    expect([alone.outcomes, killed.outcomes]).to.deep.equal([[{ kind: 'crashed' }], [again(true)]]);
  });

  it('are given back when they have not begun, and no other follows until the worker goes on', () => {
    const [first, second, third] = [begin('1'), begin('2'), begin('3')];
    calls.hold();
    expect(calls.hasRoom(0)).to.equal(false);
    calls.noteBusy(second.id, 7, 2000);
    calls.takeBack(second.id);
    expect(calls.holder).to.deep.include({ stay: 7 });
    expect([first.outcomes, second.outcomes]).to.deep.equal([[], []]);
    expect(third.outcomes).to.deep.equal([
      { kind: 'unfinished', hasBegun: false, isSuspect: false, wasMoved: false },
    ]);
    calls.receive(settled(first.id));
    calls.receive(settled(second.id));
    expect(calls.hasRoom(0)).to.equal(false);
    calls.receive({ type: 'proceeding' });
    expect(calls.hasRoom(0)).to.equal(true);
  });

  it('are not moved once they have had an effect, whatever the worker says', () => {
    const [quiet, touched] = [begin('quiet'), begin('touched')];
    calls.noteEffect(touched.id);
    for (const { id } of [quiet, touched]) calls.receive({ ...settled(id), outcome: { kind: 'moved' } });
    expect(quiet.outcomes).to.deep.equal([{ ...again(true), wasMoved: true }]);
    expect(touched.outcomes).to.deep.equal([{ kind: 'crashed' }]);
  });
});
