import { useRead } from '../api/use-api.ts';
import { CopyAs } from '../parts/copy-as.tsx';
import { Badge, Head, Time } from '../parts/parts.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { useRight } from '../session.tsx';
import { texts } from '../texts.ts';
import { Erasure } from './erasure.tsx';

interface Key {
  readonly version: number;
  readonly current: boolean;
  readonly created_at: string;
  readonly seals?: number;
}

interface Report {
  readonly data_keys: readonly Key[];
  readonly index_keys: readonly Key[];
  readonly most_seals: number;
  readonly data_key_rotation?: { readonly version: number };
  readonly index_key_rotation?: { readonly version: number; readonly remade: number };
}

const address = '/tenants/self/reports/encryption-keys';
const dayMs = 86_400_000;

/** How old the tenant's keys are, how much they have sealed, and what is being replaced. */
export function EncryptionKeys() {
  const right = useRight('report:read');
  const read = useRead<Report>(right === undefined ? address : undefined);
  return (
    <>
      <Head title={texts.nav.keys}>
        <CopyAs request={`GET ${address}`} />
      </Head>
      {right === undefined ? (
        <Loaded query={read}>{(report) => <Keys report={report} />}</Loaded>
      ) : (
        <p className="note">{right}</p>
      )}
      <Erasure />
    </>
  );
}

function Keys({ report }: { readonly report: Report }) {
  const { data_keys: data, index_keys: index, most_seals: most } = report;
  const { data_key_rotation: resealing, index_key_rotation: remaking } = report;
  return (
    <>
      <h2>{texts.keys.data}</h2>
      <p className="soft">{texts.keys.dataHint}</p>
      {resealing !== undefined && <p className="note">{texts.keys.resealing(resealing.version)}</p>}
      <KeyTable label={texts.keys.data} keys={data} most={most} />
      <h2>{texts.keys.index}</h2>
      <p className="soft">{texts.keys.indexHint}</p>
      {remaking !== undefined && (
        <p className="note">{texts.keys.remaking(remaking.version, remaking.remade)}</p>
      )}
      <KeyTable label={texts.keys.index} keys={index} most={undefined} />
    </>
  );
}

function KeyTable({
  label,
  keys,
  most,
}: {
  readonly label: string;
  readonly keys: readonly Key[];
  /** Undefined: these seal nothing. */
  readonly most: number | undefined;
}) {
  if (keys.length === 0) return <Empty>{texts.keys.none}</Empty>;
  const daysOf = ({ created_at: at }: Key) => Math.floor((Date.now() - Date.parse(at)) / dayMs);
  return (
    <Table
      label={label}
      rows={keys.map((key) => ({ ...key, id: key.version }))}
      columns={[
        [
          'Version',
          ({ version, current }) =>
            current ? (
              <>
                {version} <Badge>current</Badge>
              </>
            ) : (
              version
            ),
        ],
        ['Made', ({ created_at: at }) => <Time at={at} />],
        ['Age', (key) => `${daysOf(key)} days`],
        ...(most === undefined
          ? []
          : [['Seals', ({ seals }: Key) => <Seals seals={seals} most={most} />] as const]),
      ]}
    />
  );
}

/** The bar is full at the half, where the next key is made. */
function Seals({ seals, most }: { readonly seals: number | undefined; readonly most: number }) {
  if (seals === undefined) return <span className="faint">not counted</span>;
  const part = Math.min(1, seals / (most / 2));
  return (
    <span className="seals">
      <svg viewBox="0 0 100 6" width="100" height="6" aria-hidden="true">
        <rect className="track" width="100" height="6" rx="3" />
        <rect className="fill" width={Math.max(part * 100, seals > 0 ? 2 : 0)} height="6" rx="3" />
      </svg>
      {seals.toLocaleString()}
    </span>
  );
}
