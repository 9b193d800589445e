import { Link } from 'wouter';

import type { Auditable, Formula, Page, Proxy, Reactor } from '../api/models.ts';
import { useRead } from '../api/use-api.ts';
import { CopyAs } from '../parts/copy-as.tsx';
import { Pager, usePage } from '../parts/pager.tsx';
import { Head, Id, Time } from '../parts/parts.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { texts } from '../texts.ts';
import { CreateFormula, CreateProxy, CreateReactor } from './create-code.tsx';
import { SubjectFigures } from './subject-figures.tsx';

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
  readonly create: React.ReactNode;
  readonly columns: readonly (readonly [title: string, cell: (row: T) => React.ReactNode])[];
}

function ResourceList<T extends Named>({ title, path, api, empty, create, columns }: ListProps<T>) {
  const { page, query, go } = usePage();
  const address = `${api}?${query}`;
  const read = useRead<Page<T>>(address);
  return (
    <>
      <Head title={title}>
        <CopyAs request={`GET ${address}`} cli={['pull']} />
        {create}
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
      empty={texts.empty.proxies}
      create={<CreateProxy />}
      columns={[
        ['Destination', ({ destination_url: url }) => <span className="clip">{url}</span>],
        ['Key', ({ require_auth: isNeeded }) => (isNeeded === false ? 'not needed' : 'needed')],
        [texts.figures.title, ({ id }) => <SubjectFigures id={id} />],
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
      empty={texts.empty.reactors}
      create={<CreateReactor />}
      columns={[
        ['Code', ({ formula }) => formula?.name ?? texts.code.own],
        [texts.figures.title, ({ id }) => <SubjectFigures id={id} />],
      ]}
    />
  );
}

export function Formulas() {
  return (
    <ResourceList<Formula>
      title={texts.nav.formulas}
      path="/formulas"
      api="/reactor-formulas"
      empty={texts.empty.formulas}
      create={<CreateFormula />}
      columns={[['Type', ({ type }) => type]]}
    />
  );
}
