import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { TcpRelay } from '../../../services/token-vault/test/harness/tcp-relay.ts';

/** The connections between the processes of a system, which can be cut and slowed down once they are led through here. */
export class Links implements AsyncDisposable {
  readonly #folder: string;
  readonly #relays = new Map<string, TcpRelay>();

  private constructor(folder: string) {
    this.#folder = folder;
    writeFileSync(this.#file, '{}');
  }

  static async prepare(): Promise<Links> {
    return new Links(await mkdtemp(join(tmpdir(), 'glovebox-links-')));
  }

  /** For the environment of processes whose connections are to be led. */
  get nodeOptions(): string {
    const lead = `
      import { readFileSync } from 'node:fs';
      import net from 'node:net';
      const { connect } = net.Socket.prototype;
      const led = (port) => JSON.parse(readFileSync(${JSON.stringify(this.#file)}, 'utf8'))[port] ?? port;
      net.Socket.prototype.connect = function (...args) {
        const [first] = args;
        const options = Array.isArray(first) ? first[0] : first;
        if (typeof options === 'object' && options !== null && options.port !== undefined) options.port = led(options.port);
        else if (/^\\d+$/.test(String(first))) args[0] = led(first);
        return connect.apply(this, args);
      };`;
    return `--import=data:text/javascript,${encodeURIComponent(lead)}`;
  }

  /** Connections that are made from now on go through relays. @param ports by the name of who listens there */
  async lead(ports: Readonly<Record<string, number>>): Promise<void> {
    const map: Record<string, number> = {};
    for (const [name, port] of Object.entries(ports)) {
      const relay = await TcpRelay.start(`tcp://127.0.0.1:${port}`);
      this.#relays.set(name, relay);
      map[port] = Number(new URL(relay.url).port);
    }
    writeFileSync(this.#file, JSON.stringify(map));
  }

  get names(): string[] {
    return [...this.#relays.keys()];
  }

  to(name: string): TcpRelay {
    const relay = this.#relays.get(name);
    if (relay === undefined) throw new Error(`no link to ${name}`);
    return relay;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const relay of this.#relays.values()) await relay[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true, force: true });
  }

  get #file(): string {
    return join(this.#folder, 'links.json');
  }
}
