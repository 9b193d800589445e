import { expect } from 'chai';

import { Handles } from './handles.ts';

describe('things of the host that an isolate holds', () => {
  it('are given by their number until they are closed, and ended once', () => {
    const ended: string[] = [];
    const handles = new Handles<{ name: string }>('thing', 10, ({ name }) => ended.push(name));
    const [a, b] = [handles.open({ name: 'a' }), handles.open({ name: 'b' })];
    handles.close(a);
    handles.close(a);
    handles.close('b');
    expect(ended).to.deep.equal(['a']);
    expect(handles.get(b)).to.deep.equal({ name: 'b' });
    expect(() => handles.get(a)).to.throw('there is no such thing');
  });

  it('are never too many: the oldest goes', () => {
    const ended: number[] = [];
    const handles = new Handles<{ n: number }>('thing', 3, ({ n }) => ended.push(n));
    const ids = [0, 1, 2, 3, 4].map((n) => handles.open({ n }));
    expect(ended).to.deep.equal([0, 1]);
    expect(() => handles.get(ids[1])).to.throw('more than 3 were opened after it');
    expect(ids.slice(2).map((id) => handles.get(id).n)).to.deep.equal([2, 3, 4]);
  });
});
