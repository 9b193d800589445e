import { Link } from 'wouter';

import type { Page, Webhook } from '../api/models.ts';
import { useRead } from '../api/use-api.ts';
import { CopyAs } from '../parts/copy-as.tsx';
import { Pager, usePage } from '../parts/pager.tsx';
import { Badge, Head, Id, Time } from '../parts/parts.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { texts } from '../texts.ts';
import { CreateWebhook } from './create-webhook.tsx';

/** Who is told of events. */
export function Webhooks() {
  const { query, go } = usePage();
  const address = `/webhooks?${query}`;
  const read = useRead<Page<Webhook>>(address);
  return (
    <>
      <Head title={texts.nav.webhooks}>
        <CopyAs request={`GET ${address}`} cli={['pull']} />
        <CreateWebhook />
      </Head>
      <Loaded query={read}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <Empty>{texts.deliveries.noWebhooks}</Empty>
          ) : (
            <>
              <Table
                label={texts.nav.webhooks}
                rows={data}
                columns={[
                  [
                    'Name',
                    ({ id, name }) => (
                      <Link href={`/webhooks/${id}`} className="name">
                        {name}
                      </Link>
                    ),
                  ],
                  ['Address', ({ url }) => <span className="clip">{url}</span>],
                  [
                    'Status',
                    ({ status }) => <Badge tone={status === 'enabled' ? undefined : 'warn'}>{status}</Badge>,
                  ],
                  ['Events', ({ events }) => <span title={events.join(', ')}>{events.length}</span>],
                  ['Created', ({ created_at: at }) => <Time at={at} />],
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
