import { AppError } from '@glovebox/platform/errors/app-error';
import { expect } from 'chai';

import { argsOf } from './args-of.ts';

const read = (text: string | Buffer) => argsOf(Buffer.from(text as string)).toString();

describe('the arguments of a request', () => {
  it('are its member args, as it is written', () => {
    for (const args of ['{"a": 1.50}', '[1]', '"{{ id }}"', 'null', '12345678901234567890']) {
      expect(read(`{"args":${args}}`).trim()).to.equal(args);
      expect(read(`{"callback_url":"{{x}}","other":{"args":1}, "args" : ${args} ,"z":[]}`).trim()).to.equal(
        args,
      );
    }
  });

  it('keep their places, so that an error names the right byte', () => {
    const before = '{"ü€":"😀","args":';
    expect(read(`${before}5}`)).to.equal(`${' '.repeat(Buffer.byteLength(before))}5`);
  });

  it('are the last of that name, however it is spelled', () => {
    expect(read('{"args":1,"\\u0061rgs":{"a":2}}').trim()).to.equal('{"a":2}');
  });

  it('are an empty object when there are none', () => {
    for (const body of ['', '{}', '{"Args":1,"arg":2}', ' {"a":{"args":1}} ']) {
      expect(read(body)).to.equal('{}');
    }
  });

  it('are refused when the body is no JSON object, without quoting it', () => {
    const bodies = [
      '{"args":',
      'secret',
      '{"args":{secret}}',
      '\u0000',
      '\uFEFF{}',
      'NaN',
      '5',
      '"secret"',
      '[{"args":1}]',
    ];
    for (const body of [...bodies, 'null', 'true', ' ', Buffer.from([0x7b, 0xff, 0x7d])]) {
      const attempt = () => argsOf(Buffer.from(body as string));
      expect(attempt, String(body)).to.throw(
        AppError,
        /^The body (is not valid JSON|is not valid UTF-8|must be a JSON object)\.$/,
      );
    }
  });
});
