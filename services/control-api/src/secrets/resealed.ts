import type { SealedConfiguration, SealedSecret, Sealer } from './sealer.ts';

/** What values became under a newer key, by what they were: equal bytes stay equal, so that versions can be compared. */
export class Resealed {
  readonly #values: ReadonlyMap<string, Buffer>;

  private constructor(values: ReadonlyMap<string, Buffer>) {
    this.#values = values;
  }

  /** @throws AppError `unavailable` */
  static async of(sealer: Sealer, secrets: readonly SealedSecret[]): Promise<Resealed> {
    const distinct = [...new Map(secrets.map((secret) => [nameOf(secret.sealed), secret])).values()];
    const anew = await sealer.reseal(distinct, '');
    const pairs = distinct.flatMap(({ sealed }, at) => {
      const made = anew[at];
      return made === undefined ? [] : [[nameOf(sealed), made] as const];
    });
    return new Resealed(new Map(pairs));
  }

  /** Whether any of these is sealed anew. */
  hasAny(secrets: readonly SealedSecret[]): boolean {
    return secrets.some(({ sealed }) => this.#values.has(nameOf(sealed)));
  }

  value<Sealed extends Buffer | null>(sealed: Sealed): Buffer | Sealed {
    return sealed === null ? sealed : (this.#values.get(nameOf(sealed)) ?? sealed);
  }

  /** The same of base64. */
  text(sealed: string): string {
    return this.value(Buffer.from(sealed, 'base64')).toString('base64');
  }

  configuration<Stored extends SealedConfiguration | null>(stored: Stored): SealedConfiguration | Stored {
    if (stored === null) return stored;
    const entries = Object.entries(stored).map(([name, text]) => [name, this.text(text)]);
    return Object.fromEntries(entries) as SealedConfiguration;
  }
}

function nameOf(sealed: Buffer): string {
  return sealed.toString('base64');
}
