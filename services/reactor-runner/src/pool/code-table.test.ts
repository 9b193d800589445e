import { expect } from 'chai';

import { CodeTable } from './code-table.ts';

describe('the codes of a worker', () => {
  it('have one id each, new only once', () => {
    const table = new CodeTable();
    expect(table.idOf('a')).to.deep.equal({ codeId: 1, isNew: true });
    expect(table.idOf('b')).to.deep.equal({ codeId: 2, isNew: true });
    expect(table.idOf('a')).to.deep.equal({ codeId: 1, isNew: false });
  });

  it('make room one by one, the least recently used first, and get another id when they come back', () => {
    const table = new CodeTable();
    for (let n = 1; n <= 64; n += 1) table.idOf(`code-${n}`);
    table.idOf('code-1');
    expect(table.idOf('code-65')).to.deep.equal({ codeId: 65, isNew: true, forgotten: 2 });
    expect(table.idOf('code-1')).to.deep.equal({ codeId: 1, isNew: false });
    expect(table.idOf('code-2')).to.deep.equal({ codeId: 66, isNew: true, forgotten: 3 });
  });
});
