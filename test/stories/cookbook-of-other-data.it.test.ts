import { expect } from 'chai';

import type { Json } from '../harness/api.ts';
import { cook, cookbookStory, number, photo } from '../harness/cookbook.ts';

/** Recipes of docs/cookbook on the real system, with destinations that check what they get. */
describe('the cookbook for other data', () => {
  const story = cookbookStory();

  it('soap: an envelope, with its text escaped; the answer passes through', async () => {
    story.destination.answer = (_received, response) => {
      response.writeHead(200, { 'Content-Type': 'text/xml' }).end('<ok/>');
    };
    const answer = await cook('soap', story.api, story.key, story.values);
    expect(answer.text).to.equal('<ok/>');
    const { headers, text } = story.received();
    expect(headers).to.include({ soapaction: '"urn:bank#VerifyAccount"' });
    expect(headers['content-type']).to.equal('text/xml; charset=utf-8');
    expect(text).to.include('<VerifyAccount xmlns="urn:bank"><Name>Ann &amp; Bob</Name>');
    expect(text).to.include('<Account>1234567890</Account>');
  });

  it('pdf-masked-number: the masked number and nothing more of it', async () => {
    const { raw } = await story.run('pdf-masked-number');
    const pdf = Buffer.from(raw.pdf, 'base64').toString('latin1');
    expect(pdf).to.match(/^%PDF-1\.\d/);
    const written = [...pdf.matchAll(/<([\da-f]+)>/g)].map(([, hex = '']) =>
      Buffer.from(hex, 'hex').toString(),
    );
    expect(written.join('')).to.include('Ann Mary Lee').and.include('XXXXXX7890');
    expect(written.join('')).to.not.include('123456');
  });

  it('kyc-upload: the photo as a file of a form', async () => {
    story.answers({ check: 'k-1' });
    const { raw } = await story.run('kyc-upload');
    expect(raw).to.deep.equal({ check: 'k-1' });
    const { headers, body } = story.received();
    expect(headers.authorization).to.equal('Bearer kyc-1');
    const form = await new Response(new Uint8Array(body), {
      headers: { 'Content-Type': String(headers['content-type']) },
    }).formData();
    expect(form.get('person')).to.equal('p-9');
    const file = form.get('photo') as File;
    expect(file.type).to.equal('image/png');
    expect(Buffer.from(await file.arrayBuffer())).to.deep.equal(photo);
  });

  it('fhir-patient: a resource with the name in its parts', async () => {
    story.answers({});
    await cook('fhir-patient', story.api, story.key, story.values);
    expect(story.received().headers['content-type']).to.equal('application/fhir+json');
    expect(story.receivedJson()).to.deep.equal({
      resourceType: 'Patient',
      identifier: [{ system: 'http://hl7.org/fhir/sid/us-ssn', value: '123456789' }],
      name: [{ use: 'official', family: 'Lee', given: ['Ann', 'Mary'] }],
      birthDate: '1980-05-17',
    });
  });

  it('sms: a form with name and number', async () => {
    story.answers({ sid: 'SM1', to: '+15005550009' });
    expect(await story.run('sms')).to.deep.equal({ raw: { sid: 'SM1' } });
    const { headers, text } = story.received();
    expect(headers.authorization).to.equal(`Basic ${Buffer.from('AC1:s').toString('base64')}`);
    expect(Object.fromEntries(new URLSearchParams(text))).to.deep.equal({
      To: '+15005550009',
      From: '+15005550006',
      Body: 'Dear Ann Mary Lee, we see you on Monday.',
    });
  });

  it('retry: the same key until the destination answers, and a 503 if it does not', async () => {
    const isBusy = () => story.destination.received.length < 3;
    story.destination.answer = (_received, response) => response.writeHead(isBusy() ? 503 : 201).end();
    expect(await story.run('retry')).to.deep.equal({ raw: { status: 201, attempts: 3 } });
    const keys = story.destination.received.map(({ headers }) => headers['idempotency-key']);
    expect(keys).to.deep.equal(['o-7', 'o-7', 'o-7']);
    story.destination.answer = (_received, response) => response.writeHead(503).end();
    const given = await cook('retry', story.api, story.key, story.values);
    expect(given.status).to.equal(503);
    expect(given.json.errors).to.deep.equal({ bank: ['does not answer'] });
  });

  it('tokenize-response: a token in place of the number', async () => {
    story.answers({ account_number: '1234567890', holder: 'Ann' });
    const json: Json = await story.run('tokenize-response');
    expect(json).to.have.all.keys('holder', 'account', 'shown');
    expect(json.shown).to.equal('XXXXXX7890');
    const { json: token } = await story.api.send('GET', `/tokens/${json.account}`, { key: story.key });
    expect(token.data).to.equal('1234567890');
  });

  it('bin-routing: each card to its provider', async () => {
    story.answers({ approved: true });
    expect((await story.run('bin-routing')).raw).to.deep.equal({ provider: 'local', approved: true });
    expect(story.received().url).to.equal('/local');
    expect(story.receivedJson()).to.deep.equal({ amount: 1999, number });
    const other = await story.api.token({ type: 'card', data: { number: '5555555555554444' } });
    expect((await story.run('bin-routing', { card: other })).raw.provider).to.equal('world');
    expect(story.destination.received.map(({ url }) => url)).to.deep.equal(['/local', '/world']);
  });

  it('bulk-import: a token for each line, and the same ones again', async () => {
    const { raw } = await story.run('bulk-import');
    expect(raw).to.have.all.keys('c-1', 'c-2');
    const { json } = await story.api.send('GET', `/tokens/${raw['c-2']}`, { key: story.key });
    expect(json).to.deep.include({ data: '5555555555554444', metadata: { customer: 'c-2' } });
    expect((await story.run('bulk-import')).raw).to.deep.equal(raw);
  });
});
