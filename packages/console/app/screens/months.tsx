import { useRead } from '../api/use-api.ts';
import { Loaded } from '../parts/states.tsx';
import { texts } from '../texts.ts';

const words = texts.months;

/** What was done in each month (docs/contract/tenants.md#reports). */
export interface Operations {
  readonly total_operations: number;
  readonly months: readonly Month[];
}

interface Month {
  readonly year: number;
  readonly month: number;
  readonly total_operations: number;
  readonly operations: readonly {
    readonly entity_type: string;
    readonly operation: string;
    readonly purpose?: string;
    readonly count: number;
  }[];
}

export const operationsPath = '/tenants/self/reports/operations';

/** What was done in each month, as bars: uses of tokens are the darker part. */
export function Months() {
  const read = useRead<Operations>(operationsPath);
  return (
    <section aria-labelledby="months">
      <h2 id="months">{words.title}</h2>
      <Loaded query={read}>
        {({ months }) =>
          months.length === 0 ? <p className="soft">{words.none}</p> : <Bars months={months} />
        }
      </Loaded>
    </section>
  );
}

function Bars({ months }: { readonly months: readonly Month[] }) {
  const most = Math.max(1, ...months.map(({ total_operations: total }) => total));
  return (
    <div className="bars" role="img" aria-label={words.summary(months.length)}>
      {months.toReversed().map((month) => {
        const { year, month: number, total_operations: total } = month;
        const uses = usesOf(month);
        return (
          <div key={`${year}-${number}`} className="bar" title={words.one(total, uses)}>
            <svg viewBox="0 0 20 100" preserveAspectRatio="none" aria-hidden="true">
              <Bar className="all" share={total / most} />
              <Bar className="uses" share={uses / most} />
            </svg>
            <span className="num">{total.toLocaleString()}</span>
            <span className="soft">
              {year}-{String(number).padStart(2, '0')}
            </span>
          </div>
        );
      })}
    </div>
  );
}

const Bar = ({ className, share }: { readonly className: string; readonly share: number }) => (
  <rect className={className} x="0" width="20" y={100 - 100 * share} height={100 * share} />
);

const usesOf = ({ operations }: Month) =>
  operations.reduce((sum, { operation, count }) => sum + (operation === 'use' ? count : 0), 0);
