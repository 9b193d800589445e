import { createHash } from 'node:crypto';

import { expect } from 'chai';

import { type PackageRunner, startPackageRunner } from './package-runner.ts';

describe('packages for data', () => {
  let packages: PackageRunner;
  before(async () => {
    packages = await startPackageRunner();
  });
  after(() => packages[Symbol.asyncDispose]());

  it('csv-parse reads CSV at once, later and as a stream', async () => {
    const csv = 'name,amount\n"Smith, J.",12\n"O""Neil",7\n';
    const rows = [
      { name: 'Smith, J.', amount: '12' },
      { name: 'O"Neil', amount: '7' },
    ];
    const read = `
      const { parse } = require('csv-parse');
      const sync = require('csv-parse/sync').parse(req.csv, { columns: true });
      const later = await new Promise((resolve, reject) =>
        parse(req.csv, { columns: true }, (error, rows) => (error ? reject(error) : resolve(rows))));
      const streamed = [];
      for await (const row of require('stream').Readable.from([req.csv.slice(0, 20), req.csv.slice(20)])
        .pipe(parse({ columns: true }))) streamed.push(row);
      let code;
      try { require('csv-parse/sync').parse('a,b\\n1'); } catch (error) { code = error.code; }
      return [sync, later, streamed, code];`;
    expect(await packages.valueOf(read, { csv })).to.deep.equal([
      rows,
      rows,
      rows,
      'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH',
    ]);
  });

  it('fast-xml-parser reads, checks and writes XML', async () => {
    const value = await packages.valueOf(`
      const { XMLParser, XMLBuilder, XMLValidator } = require('fast-xml-parser');
      const options = { ignoreAttributes: false, attributeNamePrefix: '@' };
      const read = new XMLParser(options).parse('<a x="1"><b>2</b><b>three &amp; four</b></a>');
      const bad = XMLValidator.validate('<a><b></a>');
      return [read, new XMLBuilder(options).build(read), bad.err.code];`);
    expect(value).to.deep.equal([
      { a: { '@x': '1', b: [2, 'three & four'] } },
      '<a x="1"><b>2</b><b>three &amp; four</b></a>',
      'InvalidTag',
    ]);
  });

  it('xmlbuilder2 writes and converts XML', async () => {
    const value = await packages.valueOf(`
      const { create, convert } = require('xmlbuilder2');
      const root = create({ version: '1.0' }).ele('soap:Envelope', { 'xmlns:soap': 'urn:x' }).ele('pan').txt('4<2').up();
      return [root.end({ prettyPrint: false }), convert('<a><b c="d">e</b></a>', { format: 'object' })];`);
    expect(value).to.deep.equal([
      '<?xml version="1.0"?><soap:Envelope xmlns:soap="urn:x"><pan>4&lt;2</pan></soap:Envelope>',
      { a: { b: { '@c': 'd', '#': 'e' } } },
    ]);
  });

  it('json-stable-stringify writes the same JSON whatever the order', async () => {
    const value = await packages.valueOf(`
      const stringify = require('json-stable-stringify');
      return [stringify({ b: 1, a: { d: [2, { z: 1, y: 2 }], c: 3 } }), stringify({ b: 1, a: 2 }, { space: 1 })];`);
    expect(value).to.deep.equal(['{"a":{"c":3,"d":[2,{"y":2,"z":1}]},"b":1}', '{\n "a": 2,\n "b": 1\n}']);
  });

  it('jsonpath finds, filters and changes', async () => {
    const value = await packages.valueOf(`
      const jp = require('jsonpath');
      const data = { items: [{ id: 1, price: 5 }, { id: 2, price: 15 }], deep: { id: 3 } };
      const found = [jp.query(data, '$..id'), jp.query(data, '$.items[?(@.price > 10)].id'), jp.paths(data, '$.items[-1:]')];
      jp.apply(data, '$.items[*].price', (price) => price * 2);
      jp.value(data, '$.deep.id', 4);
      return [...found, data];`);
    expect(value).to.deep.equal([
      [1, 2, 3],
      [2],
      [['$', 'items', 1]],
      {
        items: [
          { id: 1, price: 10 },
          { id: 2, price: 30 },
        ],
        deep: { id: 4 },
      },
    ]);
  });

  it('lodash helps, as a whole, by single functions and as fp', async () => {
    const value = await packages.valueOf(`
      const _ = require('lodash');
      const merged = _.merge({ a: [{ b: 1 }] }, { a: [{ c: 2 }], d: { e: 3 } });
      const grouped = _(['one', 'two', 'three']).groupBy('length').mapValues('length').value();
      const fp = require('lodash/fp').flow(require('lodash/fp').map((n) => n * 2), require('lodash/fp').sum)([1, 2]);
      let calls = 0;
      const debounced = require('lodash/debounce')(() => { calls += 1; }, 5);
      debounced(); debounced();
      await new Promise((resolve) => setTimeout(resolve, 30));
      return [merged, grouped, fp, calls, require('lodash/get.js')(merged, 'a[0].c'), _.template('<%- x %>')({ x: '<' }),
        require('lodash/fp/add')(1)(2)];`);
    expect(value).to.deep.equal([{ a: [{ b: 1, c: 2 }], d: { e: 3 } }, { 3: 2, 5: 1 }, 6, 1, 2, '&lt;', 3]);
  });

  it('snakecase-keys renames keys', async () => {
    const value = await packages.valueOf(`
      const snakecaseKeys = require('snakecase-keys');
      return [snakecaseKeys({ fooBar: [{ bazQux: 1 }], 'a-b': { cD: 2 } }), snakecaseKeys({ xY: { zZ: 1 } }, { deep: false })];`);
    expect(value).to.deep.equal([{ foo_bar: [{ baz_qux: 1 }], a_b: { c_d: 2 } }, { x_y: { zZ: 1 } }]);
  });

  it('split2 takes a stream apart by lines', async () => {
    const value = await packages.valueOf(`
      const split2 = require('split2');
      const { Readable } = require('stream');
      const lines = [];
      const chunks = ['{"a":', '1}\\n{"b"', ':2}\\n', Buffer.from('{"€":3}')];
      for await (const line of Readable.from(chunks).pipe(split2(JSON.parse))) lines.push(line);
      return lines;`);
    expect(value).to.deep.equal([{ a: 1 }, { b: 2 }, { '€': 3 }]);
  });

  it('yup checks and casts', async () => {
    const value = await packages.valueOf(`
      const yup = require('yup');
      const schema = yup.object({
        email: yup.string().email().required(), age: yup.number().min(18), tags: yup.array(yup.string()).default([]) });
      const good = await schema.validate({ email: 'a@b.co', age: '21' });
      const problems = await schema.validate({ email: 'x', age: 3 }, { abortEarly: false }).catch((error) => error.errors);
      return [good, problems, schema.isValidSync({}), yup.ValidationError.isError(new yup.ValidationError('x'))];`);
    expect(value).to.deep.equal([
      { email: 'a@b.co', age: 21, tags: [] },
      ['email must be a valid email', 'age must be greater than or equal to 18'],
      false,
      true,
    ]);
  });

  it('uuid makes UUIDs of every version', async () => {
    const [v4s, v5, v3, v1] = (await packages.valueOf(`
      const { v1, v3, v4, v5, validate, version } = require('uuid');
      const ids = [v4(), v4()];
      return [[...ids, ids.every(validate), version(ids[0])], v5('glovebox', v5.DNS), v3('glovebox', v3.URL), version(v1())];`)) as [
      [string, string, boolean, number],
      string,
      string,
      number,
    ];
    expect(v4s.slice(2)).to.deep.equal([true, 4]);
    expect(v4s[0]).to.not.equal(v4s[1]);
    expect([v5, v1]).to.deep.equal([uuid5('6ba7b8109dad11d180b400c04fd430c8', 'glovebox'), 1]);
    expect(v3).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-3[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('p-limit runs so many at a time', async () => {
    const value = await packages.valueOf(`
      const limit = require('p-limit')(2);
      let running = 0;
      let most = 0;
      const job = (value) => limit(async () => {
        most = Math.max(most, (running += 1));
        await new Promise((resolve) => setTimeout(resolve, 5));
        running -= 1;
        return value * 2;
      });
      return [await Promise.all([1, 2, 3, 4, 5].map(job)), most, limit.pendingCount];`);
    expect(value).to.deep.equal([[2, 4, 6, 8, 10], 2, 0]);
  });
});

function uuid5(namespace: string, name: string): string {
  const digest = createHash('sha1').update(Buffer.from(namespace, 'hex')).update(name).digest();
  digest[6] = ((digest[6] as number) & 0x0f) | 0x50;
  digest[8] = ((digest[8] as number) & 0x3f) | 0x80;
  const hex = digest.toString('hex').slice(0, 32);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
