import { type EventEmitter, once } from 'node:events';
import { createRequire } from 'node:module';
import type { AddressInfo, Server as NetServer } from 'node:net';

/** The package has no types; this is what is used of it. */
interface Ssh2 {
  readonly Server: new (options: object, onClient: (client: EventEmitter) => void) => NetServer;
  readonly utils: {
    generateKeyPairSync(type: string, options?: object): { private: string; public: string };
    parseKey(text: string): { getPublicSSH(): Buffer; verify(blob: Buffer, signature: Buffer): boolean };
    readonly sftp: { readonly STATUS_CODE: { readonly OK: number } };
  };
}

interface Authentication {
  readonly method: string;
  readonly username: string;
  readonly key?: { readonly data: Buffer };
  readonly blob?: Buffer;
  readonly signature?: Buffer;
  accept(): void;
  reject(methods: string[]): void;
}

interface Sftp extends EventEmitter {
  handle(request: number, handle: Buffer): void;
  status(request: number, code: number): void;
}

interface Stream extends EventEmitter {
  exit(code: number): void;
  write(text: string): void;
  end(text?: string): void;
  readonly stderr: { write(text: string): void };
}

export interface SshServer extends AsyncDisposable {
  readonly port: number;
  /** Of the only user who may enter, in OpenSSH's form. */
  readonly userKey: string;
  readonly files: Map<string, string>;
}

const { Server, utils } = createRequire(import.meta.resolve('@glovebox/user-packages/allow-list'))(
  'ssh2',
) as Ssh2;

/** A server of SSH on 127.0.0.1 that tells which commands it was given, and keeps files that it is sent. */
export async function startSshServer(): Promise<SshServer> {
  const files = new Map<string, string>();
  const hostKey = utils.generateKeyPairSync('ecdsa', { bits: 256 });
  const user = utils.generateKeyPairSync('ed25519');
  const server = new Server({ hostKeys: [hostKey.private] }, (client) => {
    client.on('authentication', (attempt: Authentication) => authenticate(attempt, user.public));
    client.on('session', (accept: () => EventEmitter) => serveSession(accept(), files));
    client.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    userKey: user.private,
    files,
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, 'close');
    },
  };
}

function authenticate(attempt: Authentication, publicKey: string): void {
  const allowed = utils.parseKey(publicKey);
  const { key, blob, signature } = attempt;
  const isKnown = attempt.username === 'user' && key?.data.equals(allowed.getPublicSSH()) === true;
  const isSigned = blob === undefined || signature === undefined || allowed.verify(blob, signature);
  if (isKnown && isSigned) attempt.accept();
  else attempt.reject(['publickey']);
}

function serveSession(session: EventEmitter, files: Map<string, string>): void {
  session.on('exec', (accept: () => Stream, _reject: unknown, { command }: { command: string }) => {
    const stream = accept();
    stream.stderr.write('warned');
    stream.write(`ran ${command}`);
    stream.exit(3);
    stream.end();
  });
  session.on('sftp', (accept: () => Sftp) => {
    const sftp = accept();
    const { OK } = utils.sftp.STATUS_CODE;
    const names: string[] = [];
    sftp.on('OPEN', (request: number, name: string) => {
      names.push(name);
      files.set(name, '');
      sftp.handle(request, Buffer.from([names.length - 1]));
    });
    sftp.on('WRITE', (request: number, handle: Buffer, _offset: number, data: Buffer) => {
      const name = names[handle[0] ?? 0] ?? '';
      files.set(name, files.get(name) + data.toString());
      sftp.status(request, OK);
    });
    for (const event of ['CLOSE', 'FSETSTAT', 'SETSTAT'])
      sftp.on(event, (request: number) => sftp.status(request, OK));
  });
}
