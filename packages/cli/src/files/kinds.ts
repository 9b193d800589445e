/** What a folder describes, in the order in which it is made: what others refer to comes first. */
export const kinds = ['applications', 'formulas', 'proxies', 'reactors', 'webhooks'] as const;
export type Kind = (typeof kinds)[number];

export interface KindFacts {
  /** One of them, as words of commands and messages. */
  readonly one: string;
  /** In the API. */
  readonly path: string;
  /** Whether changes make versions, so that `If-Match` and comments count. */
  readonly versioned: boolean;
  /** Members that name another resource. */
  readonly references: Readonly<Record<string, Kind>>;
}

export const kindFacts: Readonly<Record<Kind, KindFacts>> = {
  applications: { one: 'application', path: '/applications', versioned: false, references: {} },
  formulas: { one: 'formula', path: '/reactor-formulas', versioned: true, references: {} },
  proxies: {
    one: 'proxy',
    path: '/proxies',
    versioned: true,
    references: { application: 'applications' },
  },
  reactors: {
    one: 'reactor',
    path: '/reactors',
    versioned: true,
    references: { application: 'applications', formula: 'formulas' },
  },
  webhooks: { one: 'webhook', path: '/webhooks', versioned: false, references: {} },
};

/** A value for each kind, in the order of the kinds. */
export function byKind<T>(of: (kind: Kind) => T): Record<Kind, T> {
  return {
    applications: of('applications'),
    formulas: of('formulas'),
    proxies: of('proxies'),
    reactors: of('reactors'),
    webhooks: of('webhooks'),
  };
}
