import { AppError } from '@glovebox/platform/errors/app-error';
import { expect } from 'chai';
import fc from 'fast-check';

import { readBtRequest, writeBtResponse } from './bt-request.ts';

const head = { method: 'POST', path: '/tokens', query: '', headers: { 'SVC-Trace-Id': 'a' } };
const asked = (text: string) => readBtRequest(Buffer.from(text));

describe('what user code asks for', () => {
  it('is read with its body as it is', () => {
    const { method, path, headers, body } = asked(`${JSON.stringify(head)}\n{"a":\n1}`);
    expect([method, path, body.toString()]).to.deep.equal(['POST', '/tokens', '{"a":\n1}']);
    expect([...headers]).to.deep.equal([['svc-trace-id', 'a']]);
  });

  const malformed: Readonly<Record<string, string>> = {
    nothing: '',
    'no line feed': JSON.stringify(head),
    'no JSON': '{\n',
    null: 'null\n',
    'a list': '[]\n',
    'no method': JSON.stringify({ ...head, method: undefined }) + '\n',
    'a path that is no text': JSON.stringify({ ...head, path: {} }) + '\n',
    'no query': JSON.stringify({ ...head, query: undefined }) + '\n',
    'no headers': JSON.stringify({ ...head, headers: null }) + '\n',
    'a header that is no text': JSON.stringify({ ...head, headers: { a: ['b'] } }) + '\n',
    'a head without end': `"${'x'.repeat(20_000)}"\n`,
  };
  for (const [name, text] of Object.entries(malformed)) {
    it(`is refused when it is malformed: ${name}`, () => {
      expect(() => asked(text)).to.throw(AppError, 'malformed');
    });
  }

  it('is read or refused, whatever it is', () => {
    const bytes = fc.uint8Array({ maxLength: 200 });
    const nearly = fc.jsonValue().map((value) => Buffer.from(`${JSON.stringify(value)}\nx`));
    fc.assert(
      fc.property(fc.oneof(bytes, nearly), (text) => {
        try {
          readBtRequest(Buffer.from(text));
        } catch (error) {
          expect(error).to.be.instanceOf(AppError);
        }
      }),
    );
  });

  it('is answered in the same form', () => {
    const answer = { status: 201, headers: { location: '/tokens/ü\n' }, body: Buffer.from('{}\n') };
    const text = writeBtResponse(answer).toString();
    const end = text.indexOf('\n');
    expect(JSON.parse(text.slice(0, end))).to.deep.equal({ status: 201, headers: answer.headers });
    expect(text.slice(end + 1)).to.equal('{}\n');
  });
});
