import { type Table, version, versionPage } from './call-values.ts';

/** The rows of the call table that are about versions. */
export const versionCalls: Table = {
  versions: {
    list: {
      call: (c) => c.proxies.versions.list('p', { start: 's', size: 2 }),
      is: 'GET /proxies/p/versions?start=s&size=2',
      ...versionPage,
    },
    retrieve: {
      call: (c) => c.reactors.versions.retrieve('r', 2),
      is: 'GET /reactors/r/versions/2',
      ...version,
    },
    restore: {
      call: (c) => c.reactors.versions.restore('r', 1),
      is: 'POST /reactors/r/versions/1/restore',
      ...version,
    },
    'of a formula': {
      call: (c) => c.reactorFormulas.versions.retrieve('f', 2),
      is: 'GET /reactor-formulas/f/versions/2',
      answers: { version: 2, definition: { request_parameters: [{ some_key: 1 }] } },
      gives: { version: 2, definition: { requestParameters: [{ someKey: 1 }] } },
    },
  },
};
