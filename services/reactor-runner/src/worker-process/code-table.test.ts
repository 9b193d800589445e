import { expect } from 'chai';

import { CodeTable } from './code-table.ts';

describe('the codes of a worker', () => {
  it('have one id each, new only once', () => {
    const table = new CodeTable();
    expect(table.idOf({ code: 'a' })).to.deep.equal({ codeId: 1, isNew: true });
    expect(table.idOf({ code: 'b' })).to.deep.equal({ codeId: 2, isNew: true });
    expect(table.idOf({ code: 'a' })).to.deep.equal({ codeId: 1, isNew: false });
  });

  it('make room one by one, the least recently used first, and get another id when they come back', () => {
    const table = new CodeTable();
    for (let n = 1; n <= 128; n += 1) table.idOf({ code: `code-${n}` });
    table.idOf({ code: 'code-1' });
    expect(table.idOf({ code: 'code-129' })).to.deep.equal({ codeId: 129, isNew: true, forgotten: 2 });
    expect(table.idOf({ code: 'code-1' })).to.deep.equal({ codeId: 1, isNew: false });
    expect(table.idOf({ code: 'code-2' })).to.deep.equal({ codeId: 130, isNew: true, forgotten: 3 });
  });

  it('are another for each version of what they belong to, even if the text is the same', () => {
    const table = new CodeTable();
    expect(table.idOf({ code: 'a', codeVersion: 'reactor-1:1' }).codeId).to.equal(1);
    expect(table.idOf({ code: 'a', codeVersion: 'reactor-2:1' }).codeId).to.equal(2);
    expect(table.idOf({ code: 'a', codeVersion: 'reactor-1:2' }).codeId).to.equal(3);
    expect(table.idOf({ code: 'a', codeVersion: 'reactor-1:1' })).to.deep.equal({ codeId: 1, isNew: false });
    const changed = table.idOf({ code: 'b', codeVersion: 'reactor-1:1' });
    expect(changed).to.deep.equal({ codeId: 4, isNew: true, forgotten: 1 });
  });
});
