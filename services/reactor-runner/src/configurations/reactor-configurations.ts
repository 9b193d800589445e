import { type FieldProblems, AppError } from '@glovebox/platform/errors/app-error';
import { Secret } from '@glovebox/platform/values/secret';
import { parseDeclared } from '@glovebox/published/declared-type';
import type { ReactorRecord } from '@glovebox/published/records';
import type { SealWatch } from '@glovebox/vault-client/seal-watch';

import { type OpenConfiguration, VersionCache } from './version-cache.ts';

interface Prepared {
  /** JSON text. */
  readonly configuration: Secret<string>;
  readonly problems: FieldProblems;
}

interface Opening {
  readonly openConfiguration: OpenConfiguration;
  readonly sealWatch: Pick<SealWatch, 'requireUnsealed' | 'onSealed'>;
}

/** The configurations of the reactors that ran recently, cast to the types that their formulas declare. */
export class ReactorConfigurations {
  readonly #versions: VersionCache<ReactorRecord, Prepared>;

  constructor({ openConfiguration, sealWatch }: Opening) {
    this.#versions = new VersionCache({
      openConfiguration,
      sealWatch,
      prepare,
      bytesOf: ({ configuration }) => 2 * configuration.reveal().length,
    });
  }

  /**
   * JSON text.
   * @throws AppError `invalid_argument` when the formula has changed, and the configuration does not fit it any more
   */
  async of(reactor: ReactorRecord, correlationId: string): Promise<Secret<string>> {
    const { configuration, problems } = await this.#versions.current(reactor.id, reactor, correlationId);
    if (Object.keys(problems).length === 0) return configuration;
    throw new AppError('invalid_argument', 'Invalid Reactor Configuration', { errors: problems });
  }
}

/** Values that the formula does not declare stay strings. */
function prepare(
  { declaredConfiguration }: ReactorRecord,
  texts: Readonly<Record<string, string>>,
): Prepared {
  const values = new Map<string, string | number | boolean>(Object.entries(texts));
  const problems: Record<string, string[]> = {};
  for (const { name, type } of declaredConfiguration) {
    const text = texts[name];
    const value = text === undefined ? undefined : parseDeclared(type, text);
    if (value !== undefined) values.set(name, value);
    else problems[`configuration.${name}`] = [text === undefined ? 'is required' : `must be a ${type}`];
  }
  return { configuration: new Secret(JSON.stringify(Object.fromEntries(values))), problems };
}
