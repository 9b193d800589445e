import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/**
 * Stands for AWS KMS or a transit engine, whose real ones cannot run here: it speaks as much of their documented HTTP as
 * the vault uses, and binds what it wraps to its context as they do.
 */
export interface KeyService extends AsyncDisposable {
  readonly url: string;
  /** What it was asked, newest last. */
  readonly requests: { readonly headers: IncomingMessage['headers']; readonly path: string }[];
  /** Answers every call with that status from now on; undefined: serves again. */
  refuse(status: number | undefined): void;
}

interface Ask {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Readonly<Record<string, unknown>>;
}

interface Answer {
  readonly status: number;
  readonly body: object;
}

/** Answers `Encrypt` and `Decrypt` of the JSON protocol of AWS KMS. */
export function startKms(port = 0): Promise<KeyService> {
  const key = randomBytes(32);
  return start(port, ({ headers, body }, refused) => {
    if (refused !== undefined) return kmsError(refused, 'AccessDeniedException');
    if (headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential=AK') !== true) {
      return kmsError(400, 'IncompleteSignature');
    }
    const place = `${String(body['KeyId'])} ${JSON.stringify(body['EncryptionContext'])}`;
    if (headers['x-amz-target'] === 'TrentService.Encrypt') {
      const blob = seal(key, place, Buffer.from(String(body['Plaintext']), 'base64'));
      return { status: 200, body: { CiphertextBlob: blob.toString('base64'), KeyId: body['KeyId'] } };
    }
    const opened = open(key, place, Buffer.from(String(body['CiphertextBlob']), 'base64'));
    if (opened === undefined) return kmsError(400, 'InvalidCiphertextException');
    return { status: 200, body: { Plaintext: opened.toString('base64'), KeyId: body['KeyId'] } };
  });
}

function kmsError(status: number, name: string): Answer {
  return { status, body: { __type: name, message: 'refused' } };
}

/** Answers `encrypt` and `decrypt` of a transit engine, to requests with the token. */
export function startTransit(token: string, port = 0): Promise<KeyService> {
  const key = randomBytes(32);
  return start(port, ({ path, headers, body }, refused) => {
    if (refused !== undefined) return { status: refused, body: { errors: ['refused'] } };
    if (headers['x-vault-token'] !== token) return { status: 403, body: { errors: ['permission denied'] } };
    const [name, operation, ...mount] = path.split('/').toReversed();
    const place = `${mount.join()} ${name} ${String(body['associated_data'])}`;
    if (operation === 'encrypt') {
      const sealed = seal(key, place, Buffer.from(String(body['plaintext']), 'base64'));
      return { status: 200, body: { data: { ciphertext: `vault:v1:${sealed.toString('base64')}` } } };
    }
    const sealed = Buffer.from(String(body['ciphertext']).replace('vault:v1:', ''), 'base64');
    const opened = open(key, place, sealed);
    if (opened === undefined) {
      return { status: 400, body: { errors: ['cipher: message authentication failed'] } };
    }
    return { status: 200, body: { data: { plaintext: opened.toString('base64') } } };
  });
}

async function start(
  port: number,
  answer: (ask: Ask, refused: number | undefined) => Answer,
): Promise<KeyService> {
  const requests: { headers: IncomingMessage['headers']; path: string }[] = [];
  let refused: number | undefined;
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { url: path = '', headers } = request;
    requests.push({ headers, path });
    const { status, body } = answer({ path, headers, body: (await json(request)) as Ask['body'] }, refused);
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  };
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    refuse(status) {
      refused = status;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function seal(key: Uint8Array, place: string, plaintext: Uint8Array): Buffer {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place));
  return Buffer.concat([iv, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

function open(key: Uint8Array, place: string, sealed: Uint8Array): Buffer | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
      .setAAD(Buffer.from(place))
      .setAuthTag(sealed.subarray(-16));
    return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]);
  } catch {
    return undefined;
  }
}
