import { useRead } from '../api/use-api.ts';
import { texts } from '../texts.ts';

/** What proxies and reactors did in the last hour (docs/contract/invocations.md#figures). */
interface Figures {
  readonly since: string;
  readonly data: readonly SubjectFigure[];
}

interface SubjectFigure {
  readonly subject: { readonly type: 'proxy' | 'reactor'; readonly id: string };
  readonly requests: number;
  readonly errors: number;
}

const words = texts.figures;
const none = { requests: 0, errors: 0 };

/** How much a proxy or reactor is used, and how much of that fails. */
export function SubjectFigures({ id }: { readonly id: string }) {
  const { data: figures } = useRead<Figures>('/invocations/figures');
  if (figures === undefined) return <span className="faint">–</span>;
  const { requests, errors } = figures.data.find(({ subject }) => subject.id === id) ?? none;
  if (requests === 0) return <span className="faint nowrap">{words.none}</span>;
  const minutes = (Date.now() - Date.parse(figures.since)) / 60_000;
  return (
    <span className="nowrap" title={words.hour(requests, errors)}>
      {words.rate(requests / minutes)}
      {errors > 0 && <span className="bad"> · {words.errors((100 * errors) / requests)}</span>}
    </span>
  );
}
