import { Link } from 'wouter';

import type { Auditable, Formula, Page, Proxy, Reactor } from '../api/models.ts';
import { useRead } from '../api/use-api.ts';
import { Pager, usePage } from '../parts/pager.tsx';
import { CopyAsCurl, Head, Id, Table, Time } from '../parts/parts.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { texts } from '../texts.ts';

interface Named extends Auditable {
  readonly id: string;
  readonly name: string;
}

interface ListProps<T extends Named> {
  readonly title: string;
  /** Of the screen and of the API. */
  readonly path: string;
  readonly api: string;
  readonly empty: string;
  readonly columns: readonly (readonly [title: string, cell: (row: T) => React.ReactNode])[];
}

function ResourceList<T extends Named>({ title, path, api, empty, columns }: ListProps<T>) {
  const { page, query, go } = usePage();
  const address = `${api}?${query}`;
  const read = useRead<Page<T>>(address);
  return (
    <>
      <Head title={title}>
        <CopyAsCurl request={`GET ${address}`} />
      </Head>
      <Loaded query={read}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <Empty>{page === 1 ? empty : texts.states.nothing}</Empty>
          ) : (
            <>
              <Table
                label={title}
                rows={data}
                columns={[
                  [
                    'Name',
                    ({ id, name }) => (
                      <Link href={`${path}/${id}`} className="name">
                        {name}
                      </Link>
                    ),
                  ],
                  ...columns,
                  ['Changed', (row) => <Time at={row.modified_at ?? row.created_at} />],
                  ['Id', ({ id }) => <Id value={id} />],
                ]}
              />
              <Pager pagination={pagination} go={go} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

export function Proxies() {
  return (
    <ResourceList<Proxy>
      title={texts.nav.proxies}
      path="/proxies"
      api="/proxies"
      empty="A proxy sends your request to a destination and fills in tokens on its way. You have none yet: make one with `POST /proxies`, and it appears here."
      columns={[
        ['Destination', ({ destination_url: url }) => <span className="clip">{url}</span>],
        ['Key needed', ({ require_auth: isNeeded }) => (isNeeded === false ? 'no' : 'yes')],
      ]}
    />
  );
}

export function Reactors() {
  return (
    <ResourceList<Reactor>
      title={texts.nav.reactors}
      path="/reactors"
      api="/reactors"
      empty="A reactor runs your code on detokenized arguments, beside the vault. You have none yet."
      columns={[['Formula', ({ formula }) => <Id value={formula?.id} />]]}
    />
  );
}

export function Formulas() {
  return (
    <ResourceList<Formula>
      title={texts.nav.formulas}
      path="/formulas"
      api="/reactor-formulas"
      empty="A formula is code that several reactors share, each with its own configuration. You have none yet."
      columns={[['Type', ({ type }) => type]]}
    />
  );
}
