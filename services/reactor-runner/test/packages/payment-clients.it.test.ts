import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';

import { expect } from 'chai';

import { type PackageRunner, startPackageRunner } from './package-runner.ts';
import { type Certificate, type LocalServer, makeCertificate, sendJson, startServer } from './servers.ts';

/** Clients of payment services, against servers that answer as these do. */
describe('packages for payments and messages', () => {
  let packages: PackageRunner;
  let certificate: Certificate;
  let server: LocalServer | undefined;
  before(async () => {
    packages = await startPackageRunner();
    certificate = await makeCertificate(packages);
  });
  afterEach(() => server?.[Symbol.asyncDispose]());
  after(() => packages[Symbol.asyncDispose]());

  it('stripe charges, pages, reports errors and checks webhooks', async () => {
    server = await startServer(({ method, url, body }, response) => {
      if (url.startsWith('/v1/customers')) {
        const isFirst = !url.includes('starting_after');
        sendJson(response, 200, {
          object: 'list',
          url: '/v1/customers',
          has_more: isFirst,
          data: [{ id: isFirst ? 'cus_1' : 'cus_2' }],
        });
      } else if (body.includes('amount=1&')) {
        sendJson(response, 402, {
          error: { type: 'card_error', code: 'card_declined', message: 'declined' },
        });
      } else sendJson(response, 200, { id: 'ch_1', object: 'charge', method, sent: body });
    });
    const payload = JSON.stringify({ id: 'evt_1', object: 'event', type: 'charge.succeeded' });
    const at = Math.floor(Date.now() / 1000);
    const signature = `t=${at},v1=${createHmac('sha256', 'whsec').update(`${at}.${payload}`).digest('hex')}`;
    const value = await packages.valueOf(
      `const stripe = require('stripe')('sk_test', { host: '127.0.0.1', port: req.port, protocol: 'http', telemetry: false });
      const charge = await stripe.charges.create(
        { amount: 1250, currency: 'eur', source: { number: '4242' }, metadata: { a: 'ü' } }, { idempotencyKey: 'once' });
      const declined = await stripe.charges.create({ amount: 1, currency: 'eur' }).catch((error) =>
        [error.type, error.code, error.statusCode, error.message, error instanceof stripe.errors.StripeCardError]);
      const customers = [];
      for await (const customer of stripe.customers.list({ limit: 1 })) customers.push(customer.id);
      const event = stripe.webhooks.constructEvent(req.payload, req.signature, 'whsec');
      let forged;
      try { stripe.webhooks.constructEvent(req.payload + ' ', req.signature, 'whsec'); } catch (error) { forged = error.type; }
      return [charge.id, charge.sent, declined, customers, event.type, forged];`,
      { port: server.port, payload, signature },
    );
    expect(value).to.deep.equal([
      'ch_1',
      'amount=1250&currency=eur&source[number]=4242&metadata[a]=%C3%BC',
      ['StripeCardError', 'card_declined', 402, 'declined', true],
      ['cus_1', 'cus_2'],
      'charge.succeeded',
      'StripeSignatureVerificationError',
    ]);
    expect(server.received[0]?.headers).to.include({
      authorization: 'Bearer sk_test',
      'idempotency-key': 'once',
    });
  });

  it('braintree sells, and reads what was refused', async () => {
    const xml = (inner: string) => gzipSync(`<?xml version="1.0" encoding="UTF-8"?>${inner}`);
    server = await startServer(({ body }, response) => {
      const headers = { 'content-type': 'application/xml', 'content-encoding': 'gzip' };
      if (body.includes('666.00')) {
        response.writeHead(422, headers).end(
          xml(`<api-error-response><errors><errors type="array"/><transaction><errors type="array"><error>
            <code>81502</code><attribute type="symbol">amount</attribute><message>Amount is required.</message></error></errors>
            </transaction></errors><message>Amount is required.</message></api-error-response>`),
        );
      } else {
        response.writeHead(201, headers).end(
          xml(`<transaction><id>t1</id><status>authorized</status><amount>12.50</amount><refund-ids type="array"/>
            <created-at type="datetime">2026-01-02T03:04:05Z</created-at><credit-card><last-4>1111</last-4></credit-card></transaction>`),
        );
      }
    });
    const value = await packages.valueOf(
      `const braintree = require('braintree');
      const environment = new braintree.Environment('127.0.0.1', req.port, '', false);
      const gateway = new braintree.BraintreeGateway(
        { environment, merchantId: 'merchant', publicKey: 'public', privateKey: 'private' });
      const sold = await gateway.transaction.sale({ amount: '12.50', paymentMethodNonce: 'fake', options: { submitForSettlement: true } });
      const refused = await gateway.transaction.sale({ amount: '666.00' });
      return [sold.success, sold.transaction.id, sold.transaction.amount, sold.transaction.creditCard.last4, sold.transaction.refundIds,
        refused.success, refused.errors.deepErrors().map(({ code, attribute }) => [code, attribute])];`,
      { port: server.port },
    );
    expect(value).to.deep.equal([true, 't1', '12.50', '1111', [], false, [['81502', 'amount']]]);
    expect(server.received[0]).to.include({ method: 'POST', url: '/merchants/merchant/transactions' });
    expect(server.received[0]?.headers.authorization).to.equal(`Basic ${btoa('public:private')}`);
    expect(JSON.parse(server.received[0]?.body ?? '')).to.deep.include({
      transaction: {
        amount: '12.50',
        payment_method_nonce: 'fake',
        options: { submit_for_settlement: true },
        type: 'sale',
      },
    });
  });

  it('@adyen/api-library pays over TLS, reports errors and checks notifications', async () => {
    server = await startServer(({ body }, response) => {
      if (body.includes('"value":1}')) {
        sendJson(response, 422, { status: 422, errorCode: '14_030', message: 'Return URL is missing.' });
      } else sendJson(response, 200, { pspReference: 'P1', resultCode: 'Authorised' });
    }, certificate);
    const value = await packages.valueOf(
      `const { Client, CheckoutAPI, HttpURLConnectionClient, hmacValidator } = require('@adyen/api-library');
      const httpClient = new HttpURLConnectionClient();
      httpClient.agentOptions = { ca: req.ca };
      const client = new Client({ apiKey: 'key', environment: 'TEST', httpClient });
      client.config.checkoutEndpoint = req.url;
      const checkout = new CheckoutAPI(client);
      const pay = (value) => checkout.payments({ amount: { currency: 'EUR', value }, reference: 'r', merchantAccount: 'm',
        paymentMethod: { type: 'scheme', number: '4242' }, returnUrl: 'https://x' }, { idempotencyKey: 'once' });
      const paid = await pay(1250);
      const refused = await pay(1).catch((error) => [error.statusCode, error.errorCode, error.message]);
      const item = { pspReference: 'p', originalReference: '', merchantAccountCode: 'm', merchantReference: 'r',
        amount: { value: 5, currency: 'EUR' }, eventCode: 'AUTHORISATION', success: 'true' };
      const validator = new hmacValidator();
      const hmac = validator.calculateHmac(item, '00'.repeat(32));
      return [paid, refused, hmac, validator.validateHMAC({ ...item, additionalData: { hmacSignature: hmac } }, '00'.repeat(32))];`,
      { url: server.url, ca: certificate.ca },
    );
    expect(value).to.deep.equal([
      { pspReference: 'P1', resultCode: 'Authorised' },
      [422, '14_030', 'HTTP Exception: 422. Unprocessable Entity: Return URL is missing.'],
      createHmac('sha256', Buffer.alloc(32)).update('p::m:r:5:EUR:AUTHORISATION:true').digest('base64'),
      true,
    ]);
    expect(server.received[0]?.headers).to.include({ 'x-api-key': 'key', 'idempotency-key': 'once' });
  });

  it('dwolla-v2 gets a token, posts and reads', async () => {
    server = await startServer(({ method, url, headers, body }, response) => {
      if (url === '/token')
        sendJson(response, 200, { access_token: 'T', expires_in: 3600, token_type: 'bearer' });
      else if (url === '/missing') {
        sendJson(response, 404, { code: 'NotFound', message: 'The requested resource was not found.' });
      } else if (method === 'POST') response.writeHead(201, { location: '/customers/1' }).end();
      else sendJson(response, 200, { authorization: headers.authorization, body });
    });
    const value = await packages.valueOf(
      `const { Client } = require('dwolla-v2');
      const client = new Client({ key: 'key', secret: 'secret', environment: 'sandbox' });
      client.apiUrl = req.url;
      client.tokenUrl = req.url + '/token';
      const made = await client.post('customers', { firstName: 'Zoë' });
      const read = await client.get('customers/1');
      const missing = await client.get('missing').catch((error) => [error.status, error.body.code]);
      return [made.status, made.headers.get('location'), read.body, missing];`,
      { url: server.url },
    );
    expect(value).to.deep.equal([
      201,
      '/customers/1',
      { authorization: 'Bearer T', body: '' },
      [404, 'NotFound'],
    ]);
    const token = server.received[0];
    expect([token?.url, token?.body]).to.deep.equal([
      '/token',
      'client_id=key&client_secret=secret&grant_type=client_credentials',
    ]);
  });

  it('twilio sends messages, makes TwiML and tokens, and checks requests', async () => {
    server = await startServer(({ url, body }, response) => {
      if (body.includes('To=bad')) {
        sendJson(response, 400, { code: 21_211, message: 'Invalid To', more_info: 'https://x', status: 400 });
      } else sendJson(response, 201, { sid: 'SM1', url, body: new URLSearchParams(body).get('Body') });
    }, certificate);
    const value = await packages.valueOf(
      `const twilio = require('twilio');
      class LocalClient extends twilio.RequestClient {
        request(options) { return super.request({ ...options, uri: options.uri.replace('https://api.twilio.com', req.url) }); }
      }
      const client = twilio('AC0', 'secret', { httpClient: new LocalClient({ ca: req.ca }) });
      const message = await client.messages.create({ to: '+1', from: '+2', body: 'code 4242 €' });
      const refused = await client.messages.create({ to: 'bad', from: '+2', body: 'x' }).catch((error) => [error.code, error.status]);
      const twiml = new twilio.twiml.VoiceResponse();
      twiml.say({ voice: 'alice' }, 'Hello & bye');
      const token = new twilio.jwt.AccessToken('AC0', 'SK0', 'secret', { identity: 'user' });
      const signature = twilio.getExpectedTwilioSignature('secret', 'https://x/y', { B: '2', A: '1' });
      return [message.sid, message.body, refused, twiml.toString(), token.toJwt().split('.').length, signature,
        twilio.validateRequest('secret', signature, 'https://x/y', { A: '1', B: '2' })];`,
      { url: server.url, ca: certificate.ca },
    );
    expect(value).to.deep.equal([
      'SM1',
      'code 4242 €',
      [21_211, 400],
      '<?xml version="1.0" encoding="UTF-8"?><Response><Say voice="alice">Hello &amp; bye</Say></Response>',
      3,
      createHmac('sha1', 'secret').update('https://x/yA1B2').digest('base64'),
      true,
    ]);
    expect(server.received[0]).to.include({ url: '/2010-04-01/Accounts/AC0/Messages.json' });
    expect(server.received[0]?.headers.authorization).to.equal(`Basic ${btoa('AC0:secret')}`);
  });
});
