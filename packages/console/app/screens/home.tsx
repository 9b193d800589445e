import type { Page, Proxy } from '../api/models.ts';
import { useRead } from '../api/use-api.ts';
import { Icon } from '../parts/icons.tsx';
import { CopyButton, Head } from '../parts/parts.tsx';
import { Loaded } from '../parts/states.tsx';
import { useRight } from '../session.tsx';
import { texts } from '../texts.ts';
import { Health } from './health.tsx';

interface Operations {
  readonly total_operations: number;
  readonly months: readonly {
    readonly year: number;
    readonly month: number;
    readonly total_operations: number;
    readonly operations: readonly {
      readonly entity_type: string;
      readonly operation: string;
      readonly purpose?: string;
      readonly count: number;
    }[];
  }[];
}

/** The first steps, ticked by what has really happened, then what the tenant does. */
export function Home() {
  const right = useRight('report:read');
  const report = useRead<Operations>(right === undefined ? '/tenants/self/reports/operations' : undefined);
  return (
    <>
      <Head title={texts.nav.home} />
      {right === undefined ? (
        <Loaded query={report}>
          {(operations) => (
            <>
              <FirstSteps operations={operations} />
              <Health />
              <Months months={operations.months} />
            </>
          )}
        </Loaded>
      ) : (
        <p className="note">{right}</p>
      )}
    </>
  );
}

function FirstSteps({ operations }: { readonly operations: Operations }) {
  const proxies = useRead<Page<Proxy>>(useRight('proxy:read') === undefined ? '/proxies?size=1' : undefined);
  const did = (entity: string, operation: string, purpose?: string) =>
    operations.months.some((month) =>
      month.operations.some(
        (one) =>
          one.entity_type === entity &&
          one.operation === operation &&
          (purpose === undefined || one.purpose === purpose),
      ),
    );
  const steps = stepsOf(did, proxies.data?.data[0]);
  if (steps.slice(0, 3).every(({ done }) => done)) return null;
  return (
    <section aria-labelledby="first-steps">
      <h2 id="first-steps">First steps</h2>
      <ol className="steps">
        {steps.map(({ done, title, text, command }) => (
          <li key={title} className={done ? 'done' : undefined}>
            <Icon name={done ? 'check' : 'box'} />
            <div>
              <strong>{title}</strong> {done && <span className="soft">done</span>}
              <p className="soft">{text}</p>
              {!done && command !== undefined && (
                <div className="command">
                  <code>{command}</code>
                  <CopyButton text={command} />
                </div>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

type Did = (entity: string, operation: string, purpose?: string) => boolean;

function stepsOf(did: Did, proxy: Proxy | undefined) {
  const { origin } = location;
  return [
    {
      done: did('token', 'create'),
      title: 'Store a value',
      text: 'You get a token, which you keep in place of the value.',
      command: `curl -H "SVC-API-KEY: $GLOVEBOX_API_KEY" -H 'Content-Type: application/json' -d '{"type":"token","data":"a secret"}' ${origin}/tokens`,
    },
    {
      done: proxy !== undefined || did('proxy', 'create'),
      title: 'Make a proxy',
      text: 'It names the destination that gets the real value.',
      command: `curl -H "SVC-API-KEY: $GLOVEBOX_MANAGEMENT_KEY" -H 'Content-Type: application/json' -d '{"name":"first","destination_url":"https://example.com"}' ${origin}/proxies`,
    },
    {
      done: did('token', 'use', 'proxy'),
      title: 'Send a request through it',
      text: 'Write the token in double braces where the value belongs.',
      command: `curl -H "SVC-API-KEY: $GLOVEBOX_API_KEY" -H "SVC-PROXY-ID: ${proxy?.id ?? '<proxy id>'}" -H 'Content-Type: application/json' -d '{"value":"{{ <token id> }}"}' ${origin}/proxy`,
    },
    {
      done: did('tenant_invitation', 'create'),
      title: 'Invite somebody',
      text: 'They sign in with the address that you invite.',
      command: undefined,
    },
  ];
}

/** What was done in each month, as bars: uses of tokens are the darker part. */
function Months({ months }: { readonly months: Operations['months'] }) {
  if (months.length === 0) return null;
  const most = Math.max(...months.map(({ total_operations: total }) => total));
  const usesOf = (month: Operations['months'][number]) =>
    month.operations.reduce((sum, { operation, count }) => sum + (operation === 'use' ? count : 0), 0);
  const inOrder = months.toReversed();
  return (
    <section aria-labelledby="months">
      <h2 id="months">Operations</h2>
      <div className="bars" role="img" aria-label={`Operations in ${months.length} months`}>
        {inOrder.map((month) => {
          const { year, month: number, total_operations: total } = month;
          const uses = usesOf(month);
          return (
            <div
              key={`${year}-${number}`}
              className="bar"
              title={`${total} operations, ${uses} uses of tokens`}
            >
              <svg viewBox="0 0 20 100" preserveAspectRatio="none" aria-hidden="true">
                <rect
                  className="all"
                  x="0"
                  width="20"
                  y={100 - (100 * total) / most}
                  height={(100 * total) / most}
                />
                <rect
                  className="uses"
                  x="0"
                  width="20"
                  y={100 - (100 * uses) / most}
                  height={(100 * uses) / most}
                />
              </svg>
              <span className="num">{total}</span>
              <span className="soft">
                {year}-{String(number).padStart(2, '0')}
              </span>
            </div>
          );
        })}
      </div>
    </section>
  );
}
