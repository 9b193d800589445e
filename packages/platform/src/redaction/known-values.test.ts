import { expect } from 'chai';

import { AppError } from '../errors/app-error.ts';
import { KnownValues } from './known-values.ts';

const pan = '4242424242424242';

describe('the values that a request knows', () => {
  it('are each text and each number of what it got, however deep, and nothing that is shorter or beside it', () => {
    const known = new KnownValues();
    known.add(`{"card":{"number":"${pan}","cvc":"123","list":[[987654321]]},"yes":true,"none":null}`);
    known.add(Buffer.from('{"id":"the token","data":"its data"}'), (json) => (json as { data: string }).data);
    known.add('no JSON at all');
    expect(
      known.redact([`${pan} 123 987654321 true null`, 'the token: its data', 'no JSON at all']),
    ).to.deep.equal(['*** 123 *** true null', 'the token: ***', '***']);
    expect(new KnownValues().redact([pan])).to.deep.equal([pan]);
  });

  it('are numbers in the digits that were received, and in those that code sees of them', () => {
    const known = new KnownValues();
    known.add('{"account":9007199254740993123,"rate":1.50000000,"big":[-12345678901234567890]}');
    known.add('{"data":41111111111111111119}', (json) => (json as { data: unknown }).data);
    expect(
      known.redact([
        'account 9007199254740993123 or 9007199254740993000, at 1.50000000',
        'big 12345678901234567890',
        `data 41111111111111111119 or ${Number('41111111111111111119')}`,
      ]),
    ).to.deep.equal(['account *** or ***, at ***', 'big ***', 'data *** or ***']);
  });

  it('are struck out of an error, of the names of its problems too, and nothing else of it changes', () => {
    const known = new KnownValues();
    known.add(JSON.stringify(pan));
    const cause = new Error('why');
    const error = new AppError('unavailable', `boom ${pan}`, {
      errors: { a: ['one', `two ${pan}`], [`tokenize.${pan}`]: ['three'] },
      title: 'Title',
      retryAfterSeconds: 7,
      cause,
    });
    const redacted = known.redactError(error);
    expect(redacted).to.include({
      code: 'unavailable',
      message: 'boom ***',
      title: 'Title',
      retryAfterSeconds: 7,
      cause,
    });
    expect(redacted.errors).to.deep.equal({ a: ['one', 'two ***'], 'tokenize.***': ['three'] });
  });

  it('leave an error as it is whose words are all our own', () => {
    const known = new KnownValues();
    known.add(JSON.stringify(Array.from({ length: 501 }, (_, at) => `value ${at}`)));
    const error = new AppError('bad_gateway', 'The destination refused.', { fixed: true });
    expect(known.redactError(error)).to.equal(error);
    const { message } = known.redactError(new AppError('bad_gateway', error.message));
    expect(message).to.match(/^The message is withheld/);
  });

  it('are struck out of JSON, where they are its numbers and names too, or only the whole betrays them', () => {
    const known = new KnownValues();
    known.add(JSON.stringify(pan));
    const of = (value: unknown) => known.redactJson(value);
    expect(of({ a: [1, `b ${pan}`], n: Number(pan), [pan]: null })).to.deep.equal({
      a: [1, 'b ***'],
      n: '***',
      '***': null,
    });
    expect(of(pan.split(''))).to.equal('***');
    expect(of({ plain: [true, 'text'] })).to.deep.equal({ plain: [true, 'text'] });
    expect(of(undefined)).to.equal(undefined);
    expect(of({ large: ['m'.repeat(65_537)] })).to.equal(undefined);
  });

  it('withhold a long message that holds any of them, and what is shown of others is cut at last', () => {
    const known = new KnownValues();
    known.add(JSON.stringify(pan));
    const long = 'm'.repeat(1985);
    const cut = (message: string, values = known) =>
      values.redactError(new AppError('internal', 'no', { errors: { error: [message] } })).errors['error'];
    expect(known.redact([`${long}${pan}m`, `${long}mmmmmmmmmmmmmmmm`])).to.deep.equal([
      'The message is too long to be shown without the values that are in it.',
      `${long}mmmmmmmmmmmmmmmm`,
    ]);
    expect(cut(`${long}${pan}`)?.[0]).to.match(/^The message is too long/);
    for (const values of [known, new KnownValues()])
      expect(cut('m'.repeat(2001), values)).to.deep.equal([`${'m'.repeat(2000)}…`]);
  });

  it('withhold every message when they are too many to be looked for', () => {
    const known = new KnownValues();
    known.add(`["${'a'.repeat(1024 * 1024)}"]`);
    known.add(JSON.stringify(pan));
    for (const redacted of known.redact(['harmless', pan]))
      expect(redacted).to.match(/^The message is withheld/);
  });
});
