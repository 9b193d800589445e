import { expect } from 'chai';

import { EventParser } from './event-parser.ts';

describe('server-sent events', () => {
  const text =
    ': hello\n\nretry: 1000\nid: 1-0\n\nevent: invocation\nid: 2-0\ndata: {"a":"b: c"}\n\ndata: x\ndata: y\n\n';
  const events = [
    { type: 'invocation', data: '{"a":"b: c"}' },
    { type: 'message', data: 'x\ny' },
  ];

  it('are the same however the text is cut', () => {
    for (let at = 0; at <= text.length; at += 1) {
      const parser = new EventParser();
      expect([...parser.read(text.slice(0, at)), ...parser.read(text.slice(at))]).to.deep.equal(events);
      expect(parser.lastId).to.equal('2-0');
    }
  });

  it('have an id as soon as one is named, and lose what a connection did not finish', () => {
    const parser = new EventParser();
    expect(parser.read('id: 7-1\n\ndata: half')).to.deep.equal([]);
    expect(parser.lastId).to.equal('7-1');
    parser.reset();
    expect(parser.read('data: whole\n\n')).to.deep.equal([{ type: 'message', data: 'whole' }]);
  });
});
