import { request } from 'undici';

export interface ReadEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
}

/** A client of server-sent events (WHATWG HTML section 9.2.6), as far as tests need one. */
export class EventReader {
  readonly #body: AsyncIterator<Buffer>;
  readonly #end: () => void;
  #text = '';

  private constructor(body: AsyncIterator<Buffer>, end: () => void) {
    this.#body = body;
    this.#end = end;
  }

  static async open(base: string, path: string, key: string, lastEventId?: string): Promise<EventReader> {
    const headers = {
      'SVC-API-KEY': key,
      ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
    };
    const { statusCode, body } = await request(`${base}${path}`, { headers });
    if (statusCode !== 200) throw new Error(`${statusCode} ${await body.text()}`);
    const reader = new EventReader(body[Symbol.asyncIterator](), () => body.destroy());
    // It follows from now on when it has begun.
    await reader.#more();
    return reader;
  }

  /** The next events that have data. */
  async read(count: number): Promise<readonly ReadEvent[]> {
    const events: ReadEvent[] = [];
    while (events.length < count) {
      const end = this.#text.indexOf('\n\n');
      if (end < 0) {
        await this.#more();
        continue;
      }
      const fields = new Map(
        this.#text
          .slice(0, end)
          .split('\n')
          .map((line) => line.split(/: (.*)/s, 2) as [string, string]),
      );
      this.#text = this.#text.slice(end + 2);
      const data = fields.get('data');
      if (data !== undefined)
        events.push({ id: fields.get('id') ?? '', type: fields.get('event') ?? '', data });
    }
    return events;
  }

  /** The next sign of life has come, whatever it is. */
  async alive(): Promise<void> {
    await this.#more();
  }

  close(): void {
    this.#end();
  }

  async #more(): Promise<void> {
    const { value, done } = await this.#body.next();
    if (done === true) throw new Error('the stream of events has ended');
    this.#text += value.toString();
  }
}
