import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { checkout } from '@glovebox/local/places';
import { serviceNames } from '@glovebox/local/service-names';
import { errorCodes } from '@glovebox/platform/errors/app-error';
import { statusOf } from '@glovebox/platform/errors/http';
import { expect } from 'chai';
import { parse } from 'yaml';

import { metricsIn, readAlerts, readPanels } from './harness/expressions.ts';
import { ofKind, readManifests } from './harness/manifests.ts';
import { scalingMetrics } from './harness/workloads.ts';

const read = (path: string) => readFileSync(join(checkout, path), 'utf8');

describe('the alerts', () => {
  const alerts = readAlerts();

  it('each have a name of their own', () => {
    const names = alerts.map(({ alert }) => alert);
    expect(new Set(names).size).to.equal(names.length);
    expect(names.length).to.be.at.least(15);
  });

  it('each have a runbook page, which is named like the alert, and no page is without one', () => {
    const expected = alerts.map(({ alert }) => `docs/runbooks/${kebab(alert)}.md`);
    expect(alerts.map(({ annotations }) => annotations.runbook)).to.deep.equal(expected);
    expect(expected.filter((page) => !existsSync(join(checkout, page)))).to.deep.equal([]);
    const pages = globSync('docs/runbooks/*.md', { cwd: checkout }).filter(
      (page) => basename(page) !== 'README.md',
    );
    expect(pages.filter((page) => !expected.includes(page))).to.deep.equal([]);
  });

  it('have pages that say what it means, what to look at, and what to do', () => {
    for (const { alert, annotations, labels } of alerts) {
      const page = read(annotations.runbook);
      expect(page, alert).to.match(new RegExp(`^# ${alert}\n`));
      const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
      expect(headings, alert).to.deep.equal(['What it means', 'What to look at', 'What to do']);
      expect(page, alert).to.contain(`**Severity:** ${labels.severity}`);
    }
  });

  it('say how urgent they are, and how bad it is', () => {
    for (const { alert, labels, annotations } of alerts) {
      expect(['page', 'ticket'], alert).to.include(labels.severity);
      expect(annotations.summary, alert).to.match(/\{\{ .*(\$value|\$labels)|had to be rebuilt/);
    }
  });

  it('are PromQL, and look at metrics', () => {
    for (const { alert, expr } of alerts) expect(metricsIn(expr), alert).to.not.deep.equal([]);
  });

  it('cover what the design names: errors, latency, traffic, saturation, publication, refusals, kills, keys', () => {
    const watched = new Set(alerts.flatMap(({ expr }) => metricsIn(expr)));
    expect([...watched]).to.include.members([
      'glovebox_http_errors_total',
      'glovebox_http_request_duration_seconds_bucket',
      'glovebox_http_requests_total',
      'glovebox_http_requests_in_flight',
      'glovebox_publication_lag_seconds_bucket',
      'glovebox_outbox_age_seconds',
      'glovebox_vault_calls_total',
      'glovebox_runner_runs_total',
      'glovebox_vault_key_age_seconds',
    ]);
  });
});

describe('the page of failure modes', () => {
  const page = read('docs/failure-modes.md');

  it('has every error code, with its status', () => {
    const sections = page.split(/^## /m)[1]!.split(/^### /m).slice(1);
    const told = sections.map((section) => [
      section.split('\n', 1)[0],
      Number(/^\*\*Status:\*\* (\d{3})/m.exec(section)?.[1]),
    ]);
    expect(told).to.deep.equal(errorCodes.map((code) => [code, statusOf(code)]));
    for (const section of sections) expect(section).to.contain('**Retry?**').and.to.contain('**Operators:**');
  });

  it('has whatever a service may name when it is not ready', () => {
    const named = serviceNames.flatMap((service) =>
      globSync(`services/${service}/src/*.ts`, { cwd: checkout }).flatMap((path) =>
        [
          ...(/\breadiness: \{([^]*?\})/.exec(read(path))?.[1]?.matchAll(/(?<![.\w])(\w+)(?:: |,$)/gm) ?? []),
        ].map(([, name]) => `${service} ${name}`),
      ),
    );
    const told = [...page.matchAll(/^\| ([a-z-]+) +\| `(\w+)`/gm)].map(
      ([, service, name]) => `${service} ${name}`,
    );
    expect(told).to.have.members(named);
  });

  it('quotes messages that there are', () => {
    const tables = [...page.matchAll(/\| message[^]*?\n\n/g)].map(([table]) => table).join('');
    const messages = [...tables.matchAll(/^\| ([A-Z][^|]*\.) +\|/gm)].map(([, message]) => message as string);
    const sources = globSync(['services/*/src/**/*.ts', 'packages/*/src/**/*.ts'], { cwd: checkout }).map(
      read,
    );
    expect(messages.length).to.be.greaterThan(5);
    expect(messages.filter((message) => !sources.some((source) => source.includes(message)))).to.deep.equal(
      [],
    );
  });
});

describe('the dashboards', () => {
  const panels = readPanels();

  it('are one for all, and one for each service', () => {
    expect(new Set(panels.map(({ dashboard }) => dashboard))).to.deep.equal(
      new Set([
        'Glovebox: overview',
        'Glovebox: control-api',
        'Glovebox: proxy-gateway',
        'Glovebox: reactor-runner',
        'Glovebox: token-vault',
      ]),
    );
  });

  it('are PromQL, and look at metrics', () => {
    for (const { dashboard, title, expr } of panels) {
      expect(metricsIn(expr), `${dashboard}, ${title}`).to.not.deep.equal([]);
    }
  });

  it('are handed to Grafana whole', () => {
    const config = ofKind(readManifests('prod'), 'ConfigMap').find(
      ({ metadata }) => metadata.labels?.['grafana_dashboard'] === '1',
    );
    const files = globSync('deploy/observability/dashboards/*.json', { cwd: checkout });
    expect(Object.keys(config?.data ?? {}).sort()).to.deep.equal(files.map((file) => basename(file)).sort());
  });
});

describe('the autoscalers', () => {
  it('get every metric that they ask for from prometheus-adapter’s rules, and it has no other', () => {
    const asked = scalingMetrics(readManifests('prod'));
    const { rules } = parse(read('deploy/observability/prometheus-adapter.yaml')) as {
      rules: { custom: { seriesQuery: string }[] };
    };
    const served = rules.custom.flatMap(({ seriesQuery }) => metricsIn(seriesQuery));
    expect(new Set(served)).to.deep.equal(new Set(asked));
  });
});

function kebab(name: string): string {
  return name.replaceAll(/(?<!^)([A-Z])/g, '-$1').toLowerCase();
}
