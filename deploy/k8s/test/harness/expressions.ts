import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '@glovebox/local/places';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';

export interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

export interface Panel {
  readonly dashboard: string;
  readonly title: string;
  readonly expr: string;
}

export function readAlerts(): readonly Alert[] {
  const { spec } = parse(alertsText()) as {
    spec: { groups: { rules: Alert[] }[] };
  };
  return spec.groups.flatMap(({ rules }) => rules);
}

/** The object of the Prometheus operator, of which `spec` is a rule file. */
export function alertsText(): string {
  return read('deploy/observability/alerts.yaml');
}

/** Each query of each panel. */
export function readPanels(): readonly Panel[] {
  return globSync('deploy/observability/dashboards/*.json', { cwd: checkout }).flatMap((path) => {
    const { title: dashboard, panels } = JSON.parse(read(path)) as {
      title: string;
      panels: { title: string; targets: { expr: string }[] }[];
    };
    return panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ dashboard, title, expr })));
  });
}

/** The metrics that an expression names. @throws Error when it is no PromQL. */
export function metricsIn(expression: string): readonly string[] {
  // Grafana fills its variables in first.
  const text = expression.replaceAll('$__rate_interval', '5m');
  const found: string[] = [];
  parser.parse(text).iterate({
    enter({ type, from, to, node }) {
      if (type.isError) throw new Error(`no PromQL at ${from}: ${text}`);
      if (type.name === 'Identifier' && node.parent?.name === 'VectorSelector')
        found.push(text.slice(from, to));
    },
  });
  return found;
}

function read(path: string): string {
  return readFileSync(join(checkout, path), 'utf8');
}
