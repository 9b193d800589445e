import { Link } from 'wouter';

import type { Application, Page } from '../api/models.ts';
import { useRead } from '../api/use-api.ts';
import { CopyAs } from '../parts/copy-as.tsx';
import { Pager, usePage } from '../parts/pager.tsx';
import { Badge, Head, Time } from '../parts/parts.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { texts } from '../texts.ts';
import { CreateApplication } from './create-application.tsx';

/** API clients: what they may do, and their keys. */
export function Applications() {
  const { query, go } = usePage();
  const address = `/applications?${query}`;
  const read = useRead<Page<Application>>(address);
  return (
    <>
      <Head title={texts.nav.applications}>
        <CopyAs request={`GET ${address}`} cli={['pull']} />
        <CreateApplication />
      </Head>
      <Loaded query={read}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <Empty>{texts.access.none}</Empty>
          ) : (
            <>
              <Table
                label={texts.nav.applications}
                rows={data}
                columns={[
                  [
                    'Name',
                    ({ id, name }) => (
                      <Link href={`/applications/${id}`} className="name">
                        {name}
                      </Link>
                    ),
                  ],
                  ['Type', ({ type }) => <Badge>{type}</Badge>],
                  ['Keys', ({ keys }) => keys?.length ?? 0],
                  ['Permissions', ({ permissions = [] }) => permissions.length],
                  ['Rules', ({ rules = [] }) => rules.length],
                  ['Created', ({ created_at: at }) => <Time at={at} />],
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
