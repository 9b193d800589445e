export interface ServerSentEvent {
  readonly type: string;
  readonly data: string;
}

/** Reads server-sent events (WHATWG HTML section 9.2.6) from text in pieces. Lines end with a line feed here. */
export class EventParser {
  #rest = '';
  #lastId: string | undefined;

  /** Of the last event, from which a new connection goes on. */
  get lastId(): string | undefined {
    return this.#lastId;
  }

  /** What has begun in one connection does not go on in the next. */
  reset(): void {
    this.#rest = '';
  }

  /** The events that are complete now and have data. */
  read(text: string): readonly ServerSentEvent[] {
    const blocks = (this.#rest + text).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => {
      let type = 'message';
      const data: string[] = [];
      for (const line of block.split('\n')) {
        const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? [];
        if (name === 'id') this.#lastId = value;
        else if (name === 'event') type = value;
        else if (name === 'data') data.push(value);
      }
      return data.length === 0 ? [] : [{ type, data: data.join('\n') }];
    });
  }
}
