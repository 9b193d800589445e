import { Link } from 'wouter';

import type { Page, Proxy } from '../api/models.ts';
import { useRead } from '../api/use-api.ts';
import { CopyAs } from '../parts/copy-as.tsx';
import { Icon } from '../parts/icons.tsx';
import { CopyButton, Head } from '../parts/parts.tsx';
import { Loaded } from '../parts/states.tsx';
import { useRight } from '../session.tsx';
import { texts } from '../texts.ts';
import { Health } from './health.tsx';
import { Months, type Operations, operationsPath } from './months.tsx';

const words = texts.home;

/** The first steps, ticked by what has really happened, then what the tenant does. */
export function Home() {
  const right = useRight('report:read');
  const report = useRead<Operations>(right === undefined ? operationsPath : undefined);
  return (
    <>
      <Head title={texts.nav.home}>
        <CopyAs request="GET /tenants/self/reports/traffic?period=day" />
      </Head>
      {right === undefined ? (
        <Loaded query={report}>
          {(operations) => (
            <>
              <FirstSteps operations={operations} />
              <Health />
              <Months />
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
      <h2 id="first-steps">{words.firstSteps}</h2>
      <ol className="steps">
        {steps.map(({ done, title, text, command, page }) => (
          <li key={title} className={done ? 'done' : undefined}>
            <Icon name={done ? 'check' : 'box'} />
            <div>
              <strong>{title}</strong> {done && <span className="soft">{words.done}</span>}
              <p className="soft">
                {text} {!done && page !== undefined && <Link href={page}>{words.here}</Link>}
              </p>
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

interface Step {
  readonly done: boolean;
  readonly title: string;
  readonly text: string;
  readonly command?: string;
  /** Where it can be done in the console. */
  readonly page?: string;
}

function stepsOf(did: Did, proxy: Proxy | undefined): readonly Step[] {
  const { origin } = location;
  const json = `-H 'Content-Type: application/json'`;
  return [
    {
      done: did('token', 'create'),
      ...words.store,
      command: `curl -H "SVC-API-KEY: $GLOVEBOX_API_KEY" ${json} -d '{"type":"token","data":"a secret"}' ${origin}/tokens`,
    },
    { done: proxy !== undefined || did('proxy', 'create'), ...words.proxy, page: '/proxies?new' },
    {
      done: did('token', 'use', 'proxy'),
      ...words.send,
      command: `curl -H "SVC-API-KEY: $GLOVEBOX_API_KEY" -H "SVC-PROXY-ID: ${proxy?.id ?? '<proxy id>'}" ${json} -d '{"value":"{{ <token id> }}"}' ${origin}/proxy`,
    },
    { done: did('tenant_invitation', 'create'), ...words.invite, page: '/members' },
  ];
}
