import { expect } from 'chai';

import { type PackageRunner, startPackageRunner } from './package-runner.ts';
import { type Certificate, type LocalServer, makeCertificate, sendJson, startServer } from './servers.ts';
import { startSshServer } from './ssh-server.ts';

/** Clients of other services, against servers that answer as these do. */
describe('packages for other services', () => {
  let packages: PackageRunner;
  let certificate: Certificate;
  let server: LocalServer | undefined;
  before(async () => {
    packages = await startPackageRunner();
    certificate = await makeCertificate(packages);
  });
  afterEach(() => server?.[Symbol.asyncDispose]());
  after(() => packages[Symbol.asyncDispose]());

  it('aws-sdk puts, gets and signs in S3', async () => {
    const objects = new Map<string, string>();
    server = await startServer(({ method, url, body }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://x');
      if (method === 'PUT') {
        objects.set(pathname, body);
        response.writeHead(200, { etag: '"e1"' }).end();
      } else if (searchParams.has('list-type')) {
        const contents = [...objects].map(
          ([key, { length }]) =>
            `<Contents><Key>${key.slice('/bucket/'.length)}</Key><Size>${length}</Size></Contents>`,
        );
        response.end(
          `<?xml version="1.0"?><ListBucketResult><KeyCount>1</KeyCount>${contents.join('')}</ListBucketResult>`,
        );
      } else if (objects.has(pathname)) {
        response.writeHead(200, { 'x-amz-meta-kind': 'card' }).end(objects.get(pathname));
      } else {
        response
          .writeHead(404, { 'content-type': 'application/xml' })
          .end('<Error><Code>NoSuchKey</Code><Message>none</Message></Error>');
      }
    });
    const value = (await packages.valueOf(
      `const S3 = require('aws-sdk/clients/s3');
      const s3 = new S3({ endpoint: req.url, s3ForcePathStyle: true, region: 'eu-central-1',
        accessKeyId: 'AKID', secretAccessKey: 'secret', maxRetries: 0 });
      const at = { Bucket: 'bucket', Key: 'a/b.json' };
      const put = await s3.putObject({ ...at, Body: Buffer.from('{"pan":"4242"}'), ContentType: 'application/json' }).promise();
      const got = await s3.getObject(at).promise();
      const chunks = [];
      for await (const chunk of s3.getObject(at).createReadStream()) chunks.push(chunk);
      const missing = await s3.getObject({ ...at, Key: 'none' }).promise().catch((error) => [error.code, error.statusCode]);
      const listed = (await s3.listObjectsV2({ Bucket: 'bucket' }).promise()).Contents.map(({ Key, Size }) => [Key, Size]);
      return [put.ETag, Buffer.isBuffer(got.Body), got.Body.toString(), got.Metadata, Buffer.concat(chunks).length, missing, listed,
        s3.getSignedUrl('getObject', { ...at, Expires: 60 })];`,
      { url: server.url },
    )) as unknown[];
    expect(value.slice(0, -1)).to.deep.equal([
      '"e1"',
      true,
      '{"pan":"4242"}',
      { kind: 'card' },
      14,
      ['NoSuchKey', 404],
      [['a/b.json', 14]],
    ]);
    expect(value.at(-1)).to.match(
      /^http:\/\/127\.0\.0\.1:\d+\/bucket\/a\/b\.json\?AWSAccessKeyId=AKID&Expires=\d+&Signature=/,
    );
    expect(server.received[0]?.headers.authorization).to.match(
      /^AWS4-HMAC-SHA256 Credential=AKID\/|^AWS AKID:/,
    );
  });

  it('aws-sdk reads and writes DynamoDB, as a whole and by the client’s path', async () => {
    const items = new Map<string, unknown>();
    server = await startServer(({ headers, body }, response) => {
      const operation = String(headers['x-amz-target']).split('.')[1];
      const { Key, Item, TableName } = JSON.parse(body) as {
        Key?: { id: { S: string } };
        Item?: { id: { S: string } };
        TableName: string;
      };
      if (TableName === 'none') {
        sendJson(response, 400, {
          __type: 'com.amazonaws.dynamodb.v20120810#ResourceNotFoundException',
          message: 'Requested resource not found',
        });
      } else if (operation === 'PutItem') {
        items.set(Item?.id.S ?? '', Item);
        sendJson(response, 200, {});
      } else sendJson(response, 200, { Item: items.get(Key?.id.S ?? '') });
    });
    const value = await packages.valueOf(
      `const AWS = require('aws-sdk');
      AWS.config.update({ region: 'eu-central-1', accessKeyId: 'AKID', secretAccessKey: 'secret', maxRetries: 0 });
      const documents = new AWS.DynamoDB.DocumentClient({ endpoint: req.url });
      await documents.put({ TableName: 't', Item: { id: 'a', n: 1.5, list: ['x', true, null], bytes: Buffer.from('€') } }).promise();
      const { Item } = await documents.get({ TableName: 't', Key: { id: 'a' } }).promise();
      const DynamoDB = require('aws-sdk/clients/dynamodb');
      const plain = await new DynamoDB({ endpoint: req.url }).getItem({ TableName: 't', Key: { id: { S: 'a' } } }).promise();
      const missing = await documents.get({ TableName: 'none', Key: { id: 'a' } }).promise().catch((error) => error.code);
      return [{ ...Item, bytes: Item.bytes.toString() }, plain.Item.n, missing, AWS.DynamoDB === DynamoDB];`,
      { url: server.url },
    );
    expect(value).to.deep.equal([
      { id: 'a', n: 1.5, list: ['x', true, null], bytes: '€' },
      { N: '1.5' },
      'ResourceNotFoundException',
      true,
    ]);
    expect(server.received[0]?.headers.authorization).to.contain('AWS4-HMAC-SHA256 Credential=AKID/');
  });

  it('soap reads a WSDL, calls, and reports faults', async () => {
    server = await startServer(({ url, body, headers }, response) => {
      response.setHeader('content-type', 'text/xml');
      if (url === '/service?wsdl') response.end(wsdl(`http://${headers.host}/service`));
      else if (body.includes('<tns:pan>0</tns:pan>') || body.includes('<pan>0</pan>')) {
        response
          .writeHead(500)
          .end(
            envelope(
              '<soap:Fault><faultcode>soap:Client</faultcode><faultstring>bad pan</faultstring></soap:Fault>',
            ),
          );
      } else
        response.end(
          envelope('<ChargeResponse xmlns="urn:charge"><id>ch_1</id><amount>12.5</amount></ChargeResponse>'),
        );
    });
    const value = await packages.valueOf(
      `const soap = require('soap');
      const client = await soap.createClientAsync(req.url + '/service?wsdl');
      client.setSecurity(new soap.BasicAuthSecurity('user', 'password'));
      const [charged] = await client.ChargeAsync({ pan: '4242', amount: 12.5 });
      const fault = await client.ChargeAsync({ pan: '0', amount: 1 }).catch((error) =>
        [error.root.Envelope.Body.Fault.faultstring, error.response.status]);
      return [charged, fault, Object.keys(client.describe().ChargeService.ChargePort)];`,
      { url: server.url },
    );
    expect(value).to.deep.equal([{ id: 'ch_1', amount: 12.5 }, ['bad pan', 500], ['Charge']]);
    const call = server.received.find(({ method }) => method === 'POST');
    expect(call?.headers.authorization).to.equal(`Basic ${btoa('user:password')}`);
    expect(call?.body).to.contain('4242').and.contain('Envelope');
  });

  it('@basis-theory/basis-theory-js creates, reads and reports errors', async () => {
    server = await startServer(({ method, url, body }, response) => {
      if (url === '/tokens/none')
        sendJson(response, 404, { title: 'Not Found', status: 404, error_detail: 'x' });
      else if (method === 'POST')
        sendJson(response, 201, { id: 't1', created_at: 'now', ...(JSON.parse(body) as object) });
      else
        sendJson(response, 200, {
          pagination: { total_items: 1 },
          data: [{ id: 't1', search_indexes: ['a'] }],
        });
    });
    const value = await packages.valueOf(
      `const { BasisTheory } = require('@basis-theory/basis-theory-js');
      const bt = await new BasisTheory().init('key', { apiBaseUrl: 'http://localhost:' + req.port });
      const token = await bt.tokens.create({ type: 'token', data: { cardNumber: '4242' }, searchIndexes: ['a'] },
        { correlationId: 'c1' });
      const missing = await bt.tokens.retrieve('none').catch((error) => [error.name, error.status, error.data]);
      return [token, missing, await bt.tokens.list({ page: 2 })];`,
      { port: server.port },
    );
    expect(value).to.deep.equal([
      { id: 't1', createdAt: 'now', type: 'token', data: { cardNumber: '4242' }, searchIndexes: ['a'] },
      ['BasisTheoryApiError', 404, { title: 'Not Found', status: 404, errorDetail: 'x' }],
      { pagination: { totalItems: 1 }, data: [{ id: 't1', searchIndexes: ['a'] }] },
    ]);
    expect(server.received[0]?.headers).to.include({ 'bt-api-key': 'key', 'bt-trace-id': 'c1' });
    expect(server.received.at(-1)?.url).to.equal('/tokens/?page=2');
  });

  it('@glovebox/sdk creates, reads and reports errors, by a fetch that it is given', async () => {
    server = await startServer(({ method, url, body }, response) => {
      if (url === '/tokens/none') sendJson(response, 404, { title: 'Not Found', status: 404, errors: {} });
      else sendJson(response, 200, { id: 't1', created_at: 'now', method, ...(JSON.parse(body) as object) });
    });
    const value = await packages.valueOf(
      `const { Glovebox, GloveboxApiError } = require('@glovebox/sdk');
      const glovebox = await new Glovebox().init('key', { apiBaseUrl: req.url, fetch: require('node-fetch'), maxRetries: 0 });
      const token = await glovebox.tokens.create({ type: 'token', data: { cardNumber: '4242' }, searchIndexes: ['a'] });
      const missing = await glovebox.tokens.retrieve('none').catch((error) => [error instanceof GloveboxApiError, error.status]);
      return [token, missing];`,
      { url: server.url },
    );
    expect(value).to.deep.equal([
      {
        id: 't1',
        createdAt: 'now',
        method: 'POST',
        type: 'token',
        data: { cardNumber: '4242' },
        searchIndexes: ['a'],
      },
      [true, 404],
    ]);
  });

  it('dropbox lists, uploads and downloads over TLS', async () => {
    server = await startServer(({ url, headers, body }, response) => {
      if (url === '/2/files/upload')
        sendJson(response, 200, { id: 'id:1', arg: headers['dropbox-api-arg'], size: body.length });
      else if (url === '/2/files/download') {
        response.writeHead(200, { 'dropbox-api-result': '{"id":"id:1"}' }).end('contents');
      } else if (body.includes('/none')) {
        sendJson(response, 409, { error_summary: 'path/not_found/', error: { '.tag': 'path' } });
      } else sendJson(response, 200, { entries: [{ '.tag': 'file', name: 'a.txt' }], has_more: false });
    }, certificate);
    const value = await packages.valueOf(
      `const { Dropbox } = require('dropbox');
      const nodeFetch = require('node-fetch');
      const agent = new (require('https').Agent)({ ca: req.ca });
      const fetch = (url, options) => nodeFetch(url.replace(/^https:\\/\\/[^/]+/, req.url), { ...options, agent });
      const client = new Dropbox({ accessToken: 'T', fetch });
      const { result } = await client.filesListFolder({ path: '' });
      const missing = await client.filesListFolder({ path: '/none' }).catch((error) => [error.status, error.error.error_summary]);
      const uploaded = await client.filesUpload({ path: '/a ü.txt', contents: 'text' });
      const downloaded = await client.filesDownload({ path: '/a.txt' });
      return [result.entries[0].name, missing, uploaded.result, downloaded.result.fileBinary.toString()];`,
      { url: server.url, ca: certificate.ca },
    );
    expect(value).to.deep.equal([
      'a.txt',
      [409, 'path/not_found/'],
      { id: 'id:1', arg: '{"path":"/a \\u00fc.txt"}', size: 4 },
      'contents',
    ]);
    expect(server.received[0]?.headers.authorization).to.equal('Bearer T');
  });

  it('ssh2 runs commands and sends files', async () => {
    await using ssh = await startSshServer();
    const value = await packages.valueOf(
      `const { Client } = require('ssh2');
      const connect = (privateKey, more) => new Promise((resolve, reject) => {
        const client = new Client();
        client.on('ready', () => resolve(client)).on('error', reject);
        client.connect({ host: '127.0.0.1', port: req.port, username: 'user', privateKey, ...more });
      });
      const client = await connect(req.key, { hostHash: 'sha256', hostVerifier: (hash) => hash.length === 64,
        algorithms: { compress: ['zlib@openssh.com', 'zlib', 'none'] } });
      const ran = await new Promise((resolve, reject) => client.exec('settle --today', (error, stream) => {
        if (error) return reject(error);
        const told = ['', ''];
        stream.on('data', (data) => { told[0] += data; }).on('close', (code) => resolve([...told, code]));
        stream.stderr.on('data', (data) => { told[1] += data; });
      }));
      const sftp = await new Promise((resolve, reject) => client.sftp((error, made) => (error ? reject(error) : resolve(made))));
      await new Promise((resolve, reject) =>
        sftp.writeFile('/in/batch.csv', 'pan,amount\\n4242,1\\n'.repeat(5000), (error) => (error ? reject(error) : resolve())));
      client.end();
      const stranger = require('ssh2').utils.generateKeyPairSync('ed25519').private;
      const refused = await connect(stranger).catch((error) => [error.level, error.message]);
      const unverified = await connect(req.key, { hostVerifier: () => false }).catch((error) => error.message);
      return [ran, refused, unverified];`,
      { port: ssh.port, key: ssh.userKey },
    );
    expect(value).to.deep.equal([
      ['ran settle --today', 'warned', 3],
      ['client-authentication', 'All configured authentication methods failed'],
      'Host denied (verification failed)',
    ]);
    expect(ssh.files.get('/in/batch.csv')).to.equal('pan,amount\n4242,1\n'.repeat(5000));
  });
});

const envelope = (body: string) =>
  `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>${body}</soap:Body></soap:Envelope>`;

const wsdl = (address: string) => `<?xml version="1.0"?>
<definitions name="Charge" targetNamespace="urn:charge" xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:tns="urn:charge"
  xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:xsd="http://www.w3.org/2001/XMLSchema">
  <types><xsd:schema targetNamespace="urn:charge" elementFormDefault="qualified">
    <xsd:element name="Charge"><xsd:complexType><xsd:sequence>
      <xsd:element name="pan" type="xsd:string"/><xsd:element name="amount" type="xsd:float"/></xsd:sequence></xsd:complexType></xsd:element>
    <xsd:element name="ChargeResponse"><xsd:complexType><xsd:sequence>
      <xsd:element name="id" type="xsd:string"/><xsd:element name="amount" type="xsd:float"/></xsd:sequence></xsd:complexType></xsd:element>
  </xsd:schema></types>
  <message name="In"><part name="parameters" element="tns:Charge"/></message>
  <message name="Out"><part name="parameters" element="tns:ChargeResponse"/></message>
  <portType name="ChargePortType"><operation name="Charge"><input message="tns:In"/><output message="tns:Out"/></operation></portType>
  <binding name="ChargeBinding" type="tns:ChargePortType">
    <soap:binding style="document" transport="http://schemas.xmlsoap.org/soap/http"/>
    <operation name="Charge"><soap:operation soapAction="urn:charge#Charge"/>
      <input><soap:body use="literal"/></input><output><soap:body use="literal"/></output></operation></binding>
  <service name="ChargeService"><port name="ChargePort" binding="tns:ChargeBinding"><soap:address location="${address}"/></port></service>
</definitions>`;
