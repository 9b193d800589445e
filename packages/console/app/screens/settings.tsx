import type { Role } from '../api/models.ts';
import { useRead } from '../api/use-api.ts';
import { CopyAs } from '../parts/copy-as.tsx';
import { Line } from '../parts/definition.tsx';
import { Head, Time } from '../parts/parts.tsx';
import { Loaded } from '../parts/states.tsx';
import { useRight } from '../session.tsx';
import { texts } from '../texts.ts';
import { Months } from './months.tsx';
import { OwnSessions } from './own-sessions.tsx';
import { TenantForm, type TenantSettings } from './tenant-form.tsx';

const words = texts.tenant;

interface Usage {
  readonly token_report: {
    readonly total_tokens: number;
    readonly monthly_active_tokens: number;
    readonly metrics_by_type: Readonly<
      Record<string, { readonly count: number; readonly last_created_at?: string }>
    >;
  };
}

/** The tenant's settings, how much it holds and does, and what each role may do. */
export function Settings() {
  const right = useRight('report:read');
  const tenant = useRead<TenantSettings>('/tenants/self');
  const roles = useRead<readonly Role[]>('/roles');
  return (
    <>
      <Head title={texts.nav.settings}>
        <CopyAs request="GET /tenants/self" />
      </Head>
      <Loaded query={tenant}>{(shown) => <TenantForm key={JSON.stringify(shown)} tenant={shown} />}</Loaded>
      <TokensHeld />
      {right === undefined && <Months />}
      <h2>{words.roles}</h2>
      <Loaded query={roles}>
        {(all) => (
          <dl className="definition">
            {all.map(({ role, description, permissions }) => (
              <Line key={role} name={role}>
                {description}
                <details>
                  <summary className="soft">{words.permissions(permissions.length)}</summary>
                  {permissions.map((permission) => (
                    <code key={permission} className="chip">
                      {permission}
                    </code>
                  ))}
                </details>
              </Line>
            ))}
          </dl>
        )}
      </Loaded>
      <OwnSessions />
    </>
  );
}

function TokensHeld() {
  const right = useRight('report:read');
  const usage = useRead<Usage>(right === undefined ? '/tenants/self/reports/usage' : undefined);
  return (
    <>
      <div className="head">
        <h2>{words.usage}</h2>
        <span className="grow" />
        <CopyAs request="GET /tenants/self/reports/usage" />
      </div>
      {right === undefined ? (
        <Loaded query={usage}>
          {({ token_report: report }) => (
            <dl className="definition">
              <Line name={words.stored}>{report.total_tokens.toLocaleString()}</Line>
              <Line name={words.active}>{report.monthly_active_tokens.toLocaleString()}</Line>
              {Object.entries(report.metrics_by_type).map(([type, { count, last_created_at: at }]) => (
                <Line key={type} name={type}>
                  {count.toLocaleString()} {at !== undefined && <span className="soft">{words.newest}</span>}{' '}
                  {at !== undefined && <Time at={at} />}
                </Line>
              ))}
            </dl>
          )}
        </Loaded>
      ) : (
        <p className="note">{right}</p>
      )}
    </>
  );
}
