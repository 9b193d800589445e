import type { Role } from '../api/models.ts';
import { useRead } from '../api/use-api.ts';
import { CopyAsCurl, Head, Time } from '../parts/parts.tsx';
import { Loaded } from '../parts/states.tsx';
import { useSession } from '../session.tsx';
import { texts } from '../texts.ts';

interface TenantSettings {
  readonly id: string;
  readonly name: string;
  readonly settings?: Readonly<Record<string, string>>;
}

interface Usage {
  readonly token_report: {
    readonly total_tokens: number;
    readonly monthly_active_tokens: number;
    readonly metrics_by_type: Readonly<
      Record<string, { readonly count: number; readonly last_created_at?: string }>
    >;
  };
}

/** The tenant's settings, how much it holds, and what each role may do. */
export function Settings() {
  const { permissions, expires_at: end } = useSession();
  const tenant = useRead<TenantSettings>('/tenants/self');
  const usage = useRead<Usage>(
    permissions.includes('report:read') ? '/tenants/self/reports/usage' : undefined,
  );
  const roles = useRead<readonly Role[]>('/roles');
  return (
    <>
      <Head title={texts.nav.settings}>
        <CopyAsCurl request="GET /tenants/self" />
      </Head>
      <Loaded query={tenant}>
        {({ id, name, settings = {} }) => (
          <dl className="definition">
            <Line name="name">{name}</Line>
            <Line name="id">{id}</Line>
            {Object.entries(settings).map(([key, value]) => (
              <Line key={key} name={key}>
                {value}
              </Line>
            ))}
          </dl>
        )}
      </Loaded>
      <h2>Tokens</h2>
      {permissions.includes('report:read') && (
        <Loaded query={usage}>
          {({ token_report: report }) => (
            <dl className="definition">
              <Line name="stored">{report.total_tokens.toLocaleString()}</Line>
              <Line name="active this month">{report.monthly_active_tokens.toLocaleString()}</Line>
              {Object.entries(report.metrics_by_type).map(([type, { count }]) => (
                <Line key={type} name={type}>
                  {count.toLocaleString()}
                </Line>
              ))}
            </dl>
          )}
        </Loaded>
      )}
      <h2>Roles</h2>
      <Loaded query={roles}>
        {(all) => (
          <dl className="definition">
            {all.map(({ role, description }) => (
              <Line key={role} name={role}>
                {description}
              </Line>
            ))}
          </dl>
        )}
      </Loaded>
      <p className="soft">
        Your session ends <Time at={end} /> at the latest.
      </p>
    </>
  );
}

function Line({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
