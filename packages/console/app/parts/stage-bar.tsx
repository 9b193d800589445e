import { texts } from '../texts.ts';

/** In the order in which a request goes through them. */
export const stageNames = ['auth', 'receive', 'vault', 'transform', 'reactor', 'destination', 'own'] as const;

const width = 160;
const height = 10;

interface Stage {
  readonly id: (typeof stageNames)[number];
  readonly ms: number;
  /** Milliseconds before it. */
  readonly from: number;
}

/** The stages that were entered, one after the other. */
export function stagesOf(stages: Readonly<Record<string, number>>): readonly Stage[] {
  let from = 0;
  return stageNames.flatMap((name) => {
    const ms = stages[name];
    if (ms === undefined) return [];
    from += ms;
    return [{ id: name, ms, from: from - ms }];
  });
}

/** Where the time of an invocation went. Stages that took no time to speak of are not drawn. */
export function StageBar({
  stages,
  longest,
}: {
  readonly stages: Readonly<Record<string, number>> | undefined;
  /** Milliseconds that are the whole width. */
  readonly longest: number;
}) {
  if (stages === undefined) return null;
  const drawn = stagesOf(stages);
  const scale = width / Math.max(1, longest);
  const label = drawn.map(({ id, ms }) => `${texts.invocations.stages[id]} ${ms} ms`).join(', ');
  return (
    <svg
      className="stages"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      {drawn.map(({ id, ms, from }) => (
        <rect key={id} className={id} x={from * scale} y="0" width={ms * scale} height={height} />
      ))}
    </svg>
  );
}

/** The colour that a stage has in the bar. */
export function StageSwatch({ name }: { readonly name: Stage['id'] }) {
  return (
    <svg className="stages swatch" viewBox="0 0 10 10" aria-hidden="true">
      <rect className={name} width="10" height="10" />
    </svg>
  );
}
