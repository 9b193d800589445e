import { expect } from 'chai';

import { type AskedRequest, type GivenAnswer, checkAnswer } from '../harness/check-answer.ts';

const trace = {
  'svc-trace-id': 'a',
  'cache-control': 'no-store',
  'content-type': 'application/json',
  'x-content-type-options': 'nosniff',
};
const tenant = {
  id: '0c7f8b0a-7c35-4c70-a2a8-5a3f6f3c9d52',
  owner_id: '1d9b54f7-4f0e-4b35-a6e0-7ad4f52a0c36',
  name: 'acme',
  type: 'production',
  settings: {},
  created_by: '1d9b54f7-4f0e-4b35-a6e0-7ad4f52a0c36',
  created_at: '2022-12-19T19:20:43.733Z',
};
const error = {
  errors: {},
  title: 'Not Found',
  status: 404,
  detail: 'There is nothing.',
  code: 'not_found',
  trace_id: 'a',
  doc_url: 'https://api.glovebox.example/docs/errors#not_found',
};

/** The harness compares answers with the description of the API: it must see a difference where there is one. */
describe('an answer that is not as the API is described', () => {
  const problemOf = (asked: Partial<AskedRequest>, given: Partial<GivenAnswer> & { body?: unknown }) => {
    const { body = tenant, ...rest } = given;
    const answer = { status: 200, headers: trace, text: JSON.stringify(body), ...rest };
    try {
      checkAnswer({ method: 'GET', target: '/tenants/self', json: undefined, ...asked }, answer);
    } catch (problem) {
      return (problem as Error).message;
    }
    return 'none';
  };

  it('is distinguished from one that is', () => {
    expect(problemOf({}, {})).to.equal('none');
    expect(problemOf({ target: '/tenants/self/?x=1' }, {})).to.equal('none');
    expect(problemOf({ target: '/nothing' }, { status: 404, body: error })).to.equal('none');
  });

  it('is one with another status', () => {
    expect(problemOf({}, { status: 418 })).to.include('the status 418 is not described');
    expect(problemOf({ target: '/nothing' }, {})).to.include('is not described, and answered with 200');
  });

  it('is one with a property too many, too few, or of another type', () => {
    expect(problemOf({}, { body: { ...tenant, secret: 1 } })).to.include('"additionalProperty":"secret"');
    expect(problemOf({}, { body: { ...tenant, owner_id: undefined } })).to.include('owner_id');
    expect(problemOf({}, { body: { ...tenant, created_at: 'yesterday' } })).to.include('/created_at');
    expect(problemOf({}, { text: 'null' })).to.include('must be object');
    expect(problemOf({}, { text: '<html>' })).to.include('the body is no JSON');
  });

  it('is one without a header that belongs to it, or of another media type', () => {
    const { 'svc-trace-id': _, ...untraced } = trace;
    expect(problemOf({}, { headers: untraced })).to.include('SVC-TRACE-ID is missing');
    expect(problemOf({}, { headers: { ...trace, 'content-type': 'text/html' } })).to.include('text/html');
    expect(problemOf({ method: 'POST' }, { status: 405, body: error })).to.include('Allow is missing');
  });

  it('is an error that names another request, or another page than that of its code', () => {
    const refused = (body: object) => problemOf({ target: '/nothing' }, { status: 404, body });
    expect(refused({ ...error, trace_id: 'b' })).to.include('trace_id is b, and SVC-TRACE-ID is a');
    expect(refused({ ...error, code: 'internal' })).to.include('of the code internal');
    expect(refused({ ...error, doc_url: undefined })).to.include('doc_url');
  });

  it('is one that accepts what is not described as acceptable', () => {
    const sent = (json: unknown) => problemOf({ method: 'PUT', json }, {});
    expect(sent({ name: 'acme', more: 1 })).to.equal('none');
    expect(sent({ name: '' })).to.include('the request was accepted: /name');
  });

  it('is an error of a proxy that is not wrapped, but no answer of its destination', () => {
    const proxy = { method: 'POST', target: '/proxy/any/path' };
    const refused = { ...error, status: 400 };
    expect(problemOf(proxy, { status: 400, body: refused })).to.include('proxy_error');
    expect(problemOf(proxy, { status: 400, body: { proxy_error: refused } })).to.equal('none');
    const headers = { ...trace, 'svc-proxy-destination-status': '400' };
    expect(problemOf(proxy, { status: 400, body: refused, headers })).to.equal('none');
  });
});
