import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { hashKey } from '@glovebox/access/api-key';
import { checkout } from '@glovebox/local/places';
import { decodeRecord } from '@glovebox/published/codec';
import type { InvocationOutline } from '@glovebox/published/invocation-outline';
import { proxyRolloutRecord, redisNames } from '@glovebox/published/keys';
import { RecentCounts, keyField } from '@glovebox/published/recent-counts';
import { RolloutCounter } from '@glovebox/published/rollout-counter';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

import { openPage } from '../../../test/harness/chromium.ts';
import { findings } from './harness/axe.ts';
import { busyActor, markup, plainValues, tokenId, tokens } from './harness/console-data.ts';
import {
  type TestConsole,
  failedAt,
  loaded,
  otherName,
  screensOf,
  show,
  startConsole,
} from './harness/console.ts';
import { timeOfFrames } from './harness/frames.ts';
import { until } from './harness/until.ts';

describe('the console in a browser', function () {
  this.timeout(120_000);
  let own: TestConsole;
  let as: TestConsole['as'];

  before(async () => {
    own = await startConsole();
    ({ as } = own);
  });

  after(() => own?.[Symbol.asyncDispose]());

  /** Says why, in the dialog that asks. */
  const confirm = async (page: Page, button: string, reason = 'as agreed with the team') => {
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill(reason);
    await dialog.getByRole('button', { name: button, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  const write = async (page: Page, name: string, code: string) => {
    const editor = page.getByRole('textbox', { name });
    await editor.waitFor();
    // The editor deletes by itself. What Chromium replaces in marked text it gives a style, which the policy refuses.
    await editor.press('Control+a');
    await editor.press('Delete');
    await editor.fill(code);
  };
  const deploy = async (page: Page) => {
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByRole('button', { name: /^Deploy v/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deploy' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  /** As gateways count for it. @param key of the proxy */
  const rolloutOf = async (key: string) => {
    const names = redisNames(own.api.config.redisPrefix);
    const stored = await own.redis.getBuffer(names.record(proxyRolloutRecord(hashKey(key))));
    const { record } = decodeRecord(stored!);
    return record?.$case === 'proxyRollout' ? record.value.id : '';
  };
  /** The newest entries of the log that people wrote, with their reasons. */
  const logOf = async (type: string) => {
    const { text } = await own.api.send(`GET /logs?entity_type=${type}&start=&size=20`);
    return (JSON.parse(text) as { data: readonly { operation: string; reason?: string }[] }).data;
  };

  describe('people', () => {
    it('a person signs in, comes back to the page that they wanted, and is nobody after signing out', async () => {
      await using opened = await own.signIn('DEVELOPER');
      const { page } = opened;
      expect(new URL(page.url()).pathname).to.equal('/console/proxies');
      await page.getByText('developer@example.com').waitFor();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.waitForURL((url) => !url.href.startsWith(`${own.base}/console/proxies`));
      await page.goto(`${own.base}/console/proxies`);
      await page.getByRole('link', { name: 'Sign in with your company account' }).waitFor();
    });

    it('the holder of a management key signs in; a wrong key says what is wrong', async () => {
      await using opened = await openPage(own.browser);
      const { page } = opened;
      await page.goto(`${own.base}/console`);
      await page.getByLabel('Management key').fill('key_wrong');
      await page.getByRole('button', { name: 'Sign in with a management key' }).click();
      await page.getByText('The API key is not valid.').waitFor();
      await page.getByLabel('Management key').fill(own.api.tenant.managementKey);
      await page.getByRole('button', { name: 'Sign in with a management key' }).click();
      await page.getByRole('heading', { name: 'Home' }).waitFor();
    });

    it('whoever is signed out elsewhere is asked to sign in, on the page where they notice', async () => {
      await using opened = await own.signIn('VIEWER');
      const { page, context } = opened;
      await context.clearCookies();
      await page.evaluate("history.pushState(null, '', '/console/webhooks')");
      await page.getByRole('link', { name: 'Sign in with your company account' }).waitFor();
      expect(new URL(page.url()).pathname).to.equal('/console/webhooks');
    });

    it('sees where it is signed in, and signs out there', async () => {
      own.provider.account = { sub: 'twice', email: 'twice@example.com', groups: ['VIEWER'] };
      const open = async () => {
        const opened = await openPage(own.browser);
        await opened.page.goto(`${own.base}/console/session/login?return_to=/console/settings`);
        await opened.page.getByRole('heading', { level: 2, name: 'Your sessions' }).waitFor();
        return opened;
      };
      await using here = await open();
      await using lost = await open();
      await using third = await open();
      const { page } = here;
      await page.reload();
      const rows = page.getByRole('region', { name: 'Your sessions' }).getByRole('row');
      await rows.nth(3).waitFor();
      expect(await rows.filter({ hasText: 'Chrome, Linux' }).count()).to.equal(3);
      const current = rows.filter({ hasText: 'this one' });
      expect([await current.count(), await current.getByRole('button').count()]).to.deep.equal([1, 0]);
      const asksToSignIn = async (asked: Page) => {
        await asked.reload();
        await asked.getByRole('link', { name: 'Sign in with your company account' }).waitFor();
      };
      // The one that was seen last is the first.
      await rows.getByRole('button', { name: 'Sign out' }).first().click();
      await rows.nth(3).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
      await rows.nth(2).waitFor({ state: 'detached' });
      await asksToSignIn(lost.page);
      await asksToSignIn(third.page);
      const others = page.getByRole('button', { name: 'Sign out everywhere else' });
      expect(await others.getAttribute('title')).to.equal('You are signed in nowhere else.');
      await page.reload();
      await current.waitFor();
      expect(here.complaints).to.deep.equal([]);
      const [entry] = await logOf('member');
      expect(entry).to.include({ operation: 'end_session' });
    });

    it('no other site frames it, sends requests with its session, or is where a sign-in leads', async () => {
      await using opened = await own.signIn('OWNER');
      const { page, context } = opened;
      const proxies = async () => (await own.api.send('GET /proxies')).body.pagination.total_items;
      const before = await proxies();
      const text = `<!doctype html><title>elsewhere</title><iframe src="${own.base}/console/proxies"></iframe>
        <form method="post" enctype="text/plain" action="${own.base}/proxies"><button>Win</button></form>`;
      await using _evil = await serve(text);
      const evil = await context.newPage();
      const refused = evil.waitForEvent('console', (message) => /frame/i.test(message.text()));
      await evil.goto(_evil.url);
      await refused;
      expect(await evil.frames()[1]?.getByRole('heading', { name: 'Proxies' }).count()).to.equal(0);
      const sent = await evil.evaluate(
        (url) =>
          fetch(url, { method: 'POST', credentials: 'include', body: '{}' }).then(
            ({ status }) => status,
            () => 'refused',
          ),
        `${own.base}/proxies`,
      );
      expect(sent).to.equal('refused');
      await evil.getByRole('button', { name: 'Win' }).click();
      await evil.waitForURL(`${own.base}/proxies`);
      expect(await proxies()).to.equal(before);
      for (const wanted of [_evil.url, '/console/../docs']) {
        await page.goto(`${own.base}/console/session/login?return_to=${encodeURIComponent(wanted)}`);
        await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
        expect(page.url()).to.equal(`${own.base}/console`);
      }
    });

    it('a session that was there before the sign-in is not the one after it', async () => {
      const planted = 'planted'.padEnd(43, '0');
      await using opened = await openPage(own.browser);
      const { page, context } = opened;
      await page.goto(`${own.base}/console`);
      await page.evaluate((id) => {
        const { document } = globalThis as unknown as { document: { cookie: string } };
        document.cookie = `__Host-glovebox-session=${id}; Secure; Path=/`;
      }, planted);
      own.provider.account = { sub: 'VIEWER', email: 'viewer@example.com', groups: ['VIEWER'] };
      await page.goto(`${own.base}/console/session/login`);
      await page.getByRole('heading', { name: 'Home' }).waitFor();
      const session = (await context.cookies()).find(({ name }) => name === '__Host-glovebox-session');
      expect(session?.value)
        .to.match(/^[\w-]{43}$/)
        .and.not.equal(planted);
      expect(session).to.include({ httpOnly: true, secure: true, sameSite: 'Lax' });
    });
  });

  describe('who builds', () => {
    it('makes a proxy, tries it, ships it, sees its first invocation, breaks it, sees the line and rolls back', async () => {
      await using opened = await as('DEVELOPER', '/proxies', 'Proxies');
      const { page, complaints } = opened;
      await page.getByRole('button', { name: 'New proxy' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('charges');
      await dialog.getByRole('textbox', { name: 'Destination' }).fill('https://example.com/charges');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await dialog.getByText('This is shown only now.').waitFor();
      const key = await dialog.locator('code').textContent();
      await dialog.getByRole('button', { name: 'Go on' }).click();
      await page.getByRole('heading', { level: 1, name: 'charges' }).waitFor();
      const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
      const shown = (await own.api.send(`GET /proxies/${id}`)).body;
      expect(shown.key).to.equal(key);
      expect(await page.content()).not.to.contain(shown.key);

      const twice = 'module.exports = async (req) => ({ body: { twice: req.args.body.amount * 2 } });';
      await write(page, 'request_transform', twice);
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByText('"twice": 2500').waitFor();
      expect(JSON.stringify((await own.api.send(`GET /proxies/${id}`)).body)).not.to.contain('twice');
      await deploy(page);
      expect(JSON.stringify((await own.api.send(`GET /proxies/${id}`)).body)).to.contain('twice');

      await show(page, `/invocations?subject=${id}`, 'Invocations');
      const first: InvocationOutline = { ...failedAt(1, id), outcome: 'succeeded', logged: false };
      await own.outlines.add(new Map([[own.api.tenant.id, [first]]]));
      await page.getByRole('row').filter({ hasText: 'succeeded' }).getByText('charges').waitFor();

      await show(page, `/proxies/${id}?tab=code`, 'charges');
      await write(page, 'request_transform', 'module.exports = async () => {\n  return nothing.here;\n};');
      await deploy(page);
      const versions = (await own.api.send(`GET /proxies/${id}/versions`)).body.data as unknown as {
        version: number;
      }[];
      const broken: InvocationOutline = { ...failedAt(2, id), version: versions[0]?.version ?? 0 };
      await own.outlines.add(new Map([[own.api.tenant.id, [broken]]]));
      await show(page, '/invocations?outcome=failed', 'Invocations');
      await page.getByRole('row').filter({ hasText: 'charges' }).getByRole('link').first().click();
      await page.getByRole('heading', { name: 'The code threw at line 2, column 9' }).waitFor();
      await page.getByRole('listitem').filter({ hasText: 'return nothing.here' }).waitFor();

      await show(page, `/proxies/${id}?tab=versions`, 'charges');
      await page.getByRole('row').filter({ hasText: 'v3' }).getByRole('button', { name: 'Compare' }).click();
      await page.getByRole('textbox', { name: 'after' }).getByText('nothing.here').waitFor();
      await page.getByRole('row').filter({ hasText: 'v3' }).getByRole('button', { name: 'Restore' }).click();
      await confirm(page, 'Restore', 'it fails since the change');
      expect(JSON.stringify((await own.api.send(`GET /proxies/${id}`)).body)).to.contain('twice');
      expect((await logOf('proxy'))[0]).to.include({
        operation: 'restore',
        reason: 'it fails since the change',
      });
      expect(complaints).to.deep.equal([]);
    });

    it('changes settings and secrets, which nobody reads again', async () => {
      const { body } = await own.api.send('POST /proxies', {
        body: {
          name: 'with secrets',
          destination_url: 'https://example.com',
          configuration: { OLD: 'the old one' },
        },
      });
      await using opened = await as('DEVELOPER', `/proxies/${body.id}`, 'with secrets');
      const { page } = opened;
      await page.getByRole('button', { name: 'Edit settings' }).click();
      await page.getByRole('textbox', { name: 'Destination' }).fill('https://example.com/other');
      await page.getByRole('row').filter({ hasText: 'OLD' }).getByRole('button', { name: 'Remove' }).click();
      const configuration = page.getByRole('region', { name: 'Configuration' }).first();
      await configuration.getByLabel('Name').fill('SIGNING_KEY');
      await configuration.getByLabel('New value').fill('the new secret');
      await configuration.getByRole('button', { name: 'Set' }).click();
      await deploy(page);
      await page
        .getByRole('button', { name: 'Edit settings' })
        .or(page.getByText('SIGNING_KEY'))
        .first()
        .waitFor();
      expect(await page.content()).not.to.contain('the new secret');
      const changed = (await own.api.send(`GET /proxies/${body.id}`)).body;
      expect(changed).to.deep.include({
        destination_url: 'https://example.com/other',
        configuration: { SIGNING_KEY: 'the new secret' },
      });
    });

    it('keeps events to try code with, and compares with what is live', async () => {
      await using opened = await as('DEVELOPER', `/formulas/${own.seeded.formulaId}?tab=code`, markup);
      const { page, context } = opened;
      await page.getByLabel('Event', { exact: true }).fill('{"args":{"amount":3}}');
      await page.getByLabel(/^Save the event as/).fill('three');
      await page.getByRole('button', { name: 'Save event' }).click();
      await write(page, 'code', 'module.exports = async (req) => ({ raw: { amount: req.args.amount } });');
      await page.getByLabel('Compare with what is live').check();
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByRole('textbox', { name: 'after' }).getByText('"amount": 3').waitFor();
      await page.reload();
      await page.getByLabel('Saved events').selectOption('three');
      expect(await page.getByLabel('Event', { exact: true }).inputValue()).to.equal('{"args":{"amount":3}}');
      await page.getByRole('button', { name: 'Forget it' }).click();
      expect(JSON.stringify(await context.storageState())).not.to.contain('three');
    });

    it('dry-runs a saved event from an invocation: once, and only of the code that it was saved for', async () => {
      const { id } = (
        await own.api.send('POST /proxies', {
          body: {
            name: 'run again',
            destination_url: 'https://example.com',
            response_transform: {
              code: 'module.exports = async (req) => ({ body: { sum: req.args.body.amount + 1 } });',
            },
          },
        })
      ).body;
      const outline = failedAt(1, id);
      await own.outlines.add(new Map([[own.api.tenant.id, [outline]]]));
      const code = `/proxies/${id}?tab=code&place=response_transform`;
      await using opened = await as('DEVELOPER', code, 'run again');
      const { page, complaints } = opened;
      await page.getByLabel('Event', { exact: true }).fill('{"args":{"body":{"amount":41}}}');
      await page.getByLabel(/^Save the event as/).fill('forty-one');
      await page.getByRole('button', { name: 'Save event' }).click();
      await show(page, `/invocations/${own.seeded.outline.id}`, 'Invocation');
      await page.getByRole('heading', { name: 'Dry-run this again' }).waitFor();
      expect(await page.getByRole('button', { name: 'forty-one' }).count()).to.equal(0);
      await show(page, `/invocations/${outline.id}`, 'Invocation');
      await page.getByRole('button', { name: 'forty-one (response)' }).click();
      await page.getByText('"sum": 42').waitFor();
      expect(await page.getByLabel('Saved events').inputValue()).to.equal('forty-one');
      await page.reload();
      const tried: string[] = [];
      page.on('request', (request) => {
        if (request.url().endsWith('/try')) tried.push(request.postData() ?? '');
      });
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByText('"sum": 1251').waitFor();
      expect(tried).to.have.lengthOf(1);
      expect(complaints).to.deep.equal([]);
    });

    it('the editor completes what code gets and may require, and says what is wrong as it is typed', async () => {
      const code = `/proxies/${own.seeded.proxyId}?tab=code`;
      await using opened = await as('DEVELOPER', code, markup);
      const { page, complaints } = opened;
      const editor = page.getByRole('textbox', { name: 'request_transform' });
      await write(page, 'request_transform', 'module.exports = async (req) => ({ body: ');
      await editor.press('Control+End');
      await page.keyboard.type('req.arg');
      await page.getByRole('option', { name: 'args' }).waitFor();
      // A completion that has just appeared is not accepted yet.
      await page.getByRole('option', { name: 'args', selected: true }).click();
      await page.keyboard.type('.bo');
      await page.getByRole('option', { name: 'body' }).waitFor();
      await page.keyboard.press('Escape');
      await write(
        page,
        'request_transform',
        "const fs = require('fs');\nmodule.exports = async (req) => {\n  return { bdy: req.argz, headers: req.bt.tokens.retrive('x') };\n};",
      );
      const problems = page.getByRole('list', { name: 'request_transform: problems' });
      await problems.getByText('line 3: req has no argz. It has args, configuration, bt.').waitFor();
      await problems.getByText('line 1: fs is none of the packages that code may require.').waitFor();
      await problems.getByText('line 3: The result has no bdy. It may have body, headers.').waitFor();
      await problems.getByText('line 3: req.bt.tokens has no retrive.').waitFor();
      expect(await findings(page)).to.deep.equal([]);
      await write(page, 'request_transform', 'module.exports = async (req) => { return { body: 1 ');
      await problems.getByText('This is not JavaScript').first().waitFor();
      await write(
        page,
        'request_transform',
        "const { createHash } = require('node:crypto');\nmodule.exports = async ({ args, bt }) => ({\n  body: args.body.any.thing, headers: [1].map((x) => { return { any: x }; })[0],\n});",
      );
      await problems.waitFor({ state: 'detached' });
      expect(complaints).to.deep.equal([]);
    });

    it('rolls a version out as a shadow, sees where it differs, and completes it', async () => {
      const { api, redis } = own;
      const proxy = { name: 'rolled out', destination_url: 'https://example.com/1' };
      const { id, key } = (await api.send('POST /proxies', { body: proxy })).body;
      const draft = { ...proxy, destination_url: 'https://example.com/2' };
      await api.send(`POST /proxies/${id}/versions`, { body: draft });
      await using opened = await as('DEVELOPER', `/proxies/${id}?tab=rollout`, 'rolled out');
      const { page, complaints } = opened;
      await page.getByRole('combobox', { name: 'Mode' }).selectOption('shadow');
      await page.getByLabel('Share, in percent').fill('30');
      await page.getByRole('button', { name: 'Begin a rollout' }).click();
      await page.getByText('It serves nobody, and is tried on 30 % of the requests').waitFor();
      // As it is asked for without any thought.
      await page.getByText('more than 5 % of the requests of v2 have failed, after at least 100.').waitFor();
      const names = redisNames(api.config.redisPrefix);
      const rolledOut = await rolloutOf(key);
      {
        const onLost = (error: unknown) => expect.fail(String(error));
        await using counter = new RolloutCounter({ redis, names, onLost });
        counter.note({ rolloutId: rolledOut, version: 2, failed: false, ms: 10 });
        counter.noteCompared(rolledOut, [{ path: '/request/body/total', kind: 'value' }]);
        counter.noteSkipped(rolledOut);
      }
      await page.getByText('1 results compared, 0 of them equal').waitFor();
      await page.getByText('1 requests were left out').waitFor();
      await page.getByRole('row', { name: '/request/body/total another value 1' }).waitFor();
      await page.getByRole('row', { name: 'v2 1 0 9.85 ms 9.85 ms' }).waitFor();
      expect(await findings(page)).to.deep.equal([]);
      await page.getByRole('button', { name: 'Complete' }).click();
      await confirm(page, 'Complete');
      await page.getByText('completed').waitFor();
      const { body } = await api.send(`GET /proxies/${id}`);
      expect(body).to.include({ destination_url: draft.destination_url });
      await page.getByRole('button', { name: 'End' }).click();
      await confirm(page, 'End');
      await page.getByText('No rollout.').waitFor();
      expect(complaints).to.deep.equal([]);
    });

    it('says when a rollout stops by itself, in commands, too, and shows it while it runs and once it has', async () => {
      const { api, redis } = own;
      const proxy = { name: 'stops by itself', destination_url: 'https://example.com/1' };
      const { id, key } = (await api.send('POST /proxies', { body: proxy })).body;
      await api.send(`POST /proxies/${id}/versions`, {
        body: { ...proxy, destination_url: 'https://example.com/2' },
      });
      await using opened = await as('DEVELOPER', `/proxies/${id}?tab=rollout`, proxy.name);
      const { page, complaints } = opened;
      const asked = page.getByRole('region', { name: 'Begin a rollout' });
      await asked.getByLabel('Failed requests, in percent').fill('7');
      await asked.getByLabel('After at least (requests)').fill('');
      await asked.getByRole('button', { name: 'Begin a rollout' }).click();
      await asked.getByRole('alert').getByText('stop_when.min_requests').waitFor();
      await asked.getByLabel('After at least (requests)').fill('3');
      const command = (name: string) => page.getByRole('button', { name }).last().getAttribute('title');
      expect(await command('Copy as curl')).to.contain('"stop_when":{"error_rate":0.07,"min_requests":3}');
      expect(await command('Copy as CLI')).to.equal(
        `glovebox rollout proxy ${id} --version 2 --percent 10 --by random --error-rate 0.07 --min-requests 3`,
      );
      await asked.getByRole('button', { name: 'Begin a rollout' }).click();
      await page.getByText('more than 7 % of the requests of v2 have failed, after at least 3.').waitFor();
      const running = page.getByRole('region', { name: 'Change the rollout' });
      await running.getByLabel('Stop it by itself').uncheck();
      expect(await command('Copy as curl')).not.to.contain('stop_when');
      await running.getByRole('button', { name: 'Change the rollout' }).click();
      await page.getByText('It does not stop by itself.').waitFor();
      await running.getByLabel('Stop it by itself').check();
      await running.getByRole('button', { name: 'Change the rollout' }).click();
      await page.getByText('more than 7 % of the requests of v2 have failed, after at least 3.').waitFor();
      const names = redisNames(api.config.redisPrefix);
      {
        const onLost = (error: unknown) => expect.fail(String(error));
        await using counter = new RolloutCounter({ redis, names, onLost });
        const rolloutId = await rolloutOf(key);
        for (let n = 0; n < 3; n += 1) counter.note({ rolloutId, version: 2, failed: true, ms: 10 });
      }
      await page.getByText('It has stopped by itself: too many requests failed.').waitFor();
      expect(complaints).to.deep.equal([]);
    });

    it('a change that somebody else has overtaken is refused, and the text stays', async () => {
      const { api } = own;
      const { formulaId } = own.seeded;
      await using opened = await as('DEVELOPER', `/formulas/${formulaId}?tab=code`, markup);
      const { page } = opened;
      const editor = page.getByRole('textbox', { name: 'code' });
      await editor.fill('module.exports = async () => ({ raw: { mine: true } });');
      const { body } = await api.send(`GET /reactor-formulas/${formulaId}`);
      const overtaken = await api.send(`PUT /reactor-formulas/${formulaId}`, {
        body: { ...body, description: 'other' },
      });
      expect(overtaken.status, overtaken.text).to.equal(200);
      await page.getByRole('button', { name: 'Save draft' }).click();
      await page.getByText('Somebody else has changed this meanwhile').waitFor();
      expect(await editor.textContent()).to.contain('mine: true');
    });
  });

  describe('who operates', () => {
    it('sees on Home what requests met with, as pictures with their figures', async () => {
      await using opened = await as('VIEWER', '/', 'Home');
      const { page, complaints } = opened;
      await page.getByRole('img', { name: 'Requests: 800 in all' }).waitFor();
      await page.getByRole('img', { name: 'Errors: 8 in all' }).waitFor();
      await page.getByRole('link', { name: 'Leaks' }).waitFor();
      await page.getByRole('combobox', { name: 'Period' }).selectOption('month');
      await page.getByRole('img', { name: 'Requests: 800 in all' }).waitFor();
      expect(complaints).to.deep.equal([]);
    });

    it('sees a failure live, how often its proxy fails, and how to dry-run it again', async () => {
      await using opened = await as('VIEWER', '/invocations?outcome=failed', 'Invocations');
      const { page, complaints } = opened;
      // The stream of the page of before must not be taken for that of the new one.
      await page.goto('about:blank');
      const streamed = page.waitForResponse((response) => response.url().includes('/invocations/stream'));
      await page.goto(`${own.base}/console/invocations?outcome=failed`);
      await streamed;
      const { id } = (
        await own.api.send('POST /proxies', {
          body: { name: 'fails', destination_url: 'https://example.com' },
        })
      ).body;
      const outline = failedAt(3, id);
      const quiet: InvocationOutline = { ...outline, id: randomUUID(), outcome: 'succeeded' };
      await own.outlines.add(new Map([[own.api.tenant.id, [quiet, outline]]]));
      const row = page.getByRole('row').filter({ hasText: 'internal · line 3' });
      await row.waitFor();
      expect(await row.count()).to.equal(1);
      expect(await row.getByRole('img').getAttribute('aria-label')).to.contain('Code of the proxy 8.4 ms');
      const names = redisNames(own.api.config.redisPrefix);
      {
        await using counts = new RecentCounts({
          redis: own.redis,
          names,
          onLost: (error) => expect.fail(String(error)),
        });
        for (let n = 0; n < 400; n += 1)
          counts.noteInvocation(own.api.tenant.id, { type: 'proxy', id }, n < 100);
      }
      await row.getByRole('link').first().click();
      await page.getByRole('heading', { name: 'Dry-run this again' }).waitFor();
      await page.getByRole('heading', { name: 'Message and log' }).waitFor();
      const shown = page.getByRole('button', { name: 'Show it…' });
      expect(await shown.getAttribute('title')).to.contain('Your role does not let you see values');
      await page.getByText('Your role lacks the permission log:read.').waitFor();
      const command = page
        .getByRole('region', { name: 'Dry-run' })
        .getByRole('button', { name: 'Copy as curl' });
      expect(await command.getAttribute('title'))
        .to.contain('SVC-Dry-Run: true')
        .and.contain(id);
      await page.goto(`${own.base}/console/proxies`);
      await page.getByRole('row').filter({ hasText: 'fails' }).getByText('25 % failed').waitFor();
      expect(complaints).to.deep.equal([]);
    });

    it('who may see values sees what code wrote, for a reason that is in the log', async () => {
      await using opened = await own.signIn('OWNER');
      const { page, complaints } = opened;
      await show(page, `/invocations/${own.seeded.outline.id}`, 'Invocation');
      await page.getByRole('button', { name: 'Show it…' }).click();
      await page.getByRole('dialog').getByLabel('Reason').fill('it fails for a customer');
      await page.getByRole('dialog').getByRole('button', { name: 'Show it…' }).click();
      await page.getByText(plainValues.log).waitFor();
      expect(await page.locator('img').count()).to.equal(0);
      const [entry] = await logOf('proxy');
      expect(entry).to.include({ operation: 'read_log', reason: 'it fails for a customer' });
      expect(complaints).to.deep.equal([]);
    });

    it('more than a stream can send, or a page can show, is said to be skipped; few rows are drawn', async () => {
      await using opened = await as('VIEWER', '/invocations', 'Invocations');
      const { page } = opened;
      const many = Array.from({ length: 1500 }, () => ({
        ...failedAt(1, own.seeded.proxyId),
        outcome: 'succeeded' as const,
      }));
      // What comes before the page follows is not skipped: it is in the list.
      await until(30_000, async () => {
        await own.outlines.add(new Map([[own.api.tenant.id, many]]));
        await page.getByText('some are skipped').waitFor({ timeout: 3000 });
      });
      expect(await page.getByRole('row').count()).to.be.within(10, 100);
    });

    it('draws its frames while hundreds of events a second come in, and shows each of them or says that it skips', async () => {
      const proxy = { name: 'busy', destination_url: 'https://example.com' };
      const { id } = (await own.api.send('POST /proxies', { body: proxy })).body;
      await using opened = await as('VIEWER', '/proxies', 'Proxies');
      const { page, complaints } = opened;
      await page.goto('about:blank');
      const streamed = page.waitForResponse((response) => response.url().includes('/invocations/stream'));
      await page.goto(`${own.base}/console/invocations?subject=${id}`);
      await streamed;
      await page.getByText('No invocation fits').waitFor();
      const table = page.getByRole('table');
      const rows = async () =>
        (await table.count()) === 0 ? 0 : Number(await table.getAttribute('aria-rowcount')) - 1;
      let sent = 0;
      /** 20 each 60 ms, or as fast as this machine can. */
      const send = async (stop: AbortSignal) => {
        while (!stop.aborted) {
          const batch = Array.from({ length: 20 }, () => ({ ...failedAt(1, id), duration_ms: (sent += 1) }));
          await own.outlines.add(new Map([[own.api.tenant.id, batch]]));
          await sleep(60);
        }
      };
      const isSkipping = async () => (await page.getByText('some are skipped').count()) > 0;
      /** Of the frames that the page draws when nothing comes. */
      const shareOfFrames = async () => {
        const idle = await timeOfFrames(page, 60);
        const ended = new AbortController();
        const [before, sending] = [await rows(), send(ended.signal)];
        try {
          await until(30_000, async () => expect(await rows()).to.be.above(before));
          const busy = await timeOfFrames(page, 180);
          return (3 * idle) / busy;
        } finally {
          ended.abort();
          await sending;
        }
      };
      // Others use this machine, too: a page that is slow by itself is so each time.
      let best = await shareOfFrames();
      for (let again = 0; again < 2 && best < 1 / 3; again += 1) best = Math.max(best, await shareOfFrames());
      expect(best).to.be.above(1 / 3);
      expect(sent).to.be.above(200);
      await until(30_000, async () => expect((await rows()) === sent || (await isSkipping())).to.equal(true));
      expect(await page.getByRole('row').count()).to.be.below(100);
      expect(complaints).to.deep.equal([]);
    });

    it('scrolls through a log of 100,000 entries, of which a window is drawn', async () => {
      await using opened = await as('AUDITOR', `/audit?actor_id=${busyActor}`, 'Audit log');
      const { page } = opened;
      const entry = (id: number) => page.getByTitle(`entry ${id}`, { exact: true });
      await entry(100_000).first().waitFor();
      const rows = page.locator('tr[aria-rowindex]');
      const last = async () => Number(await rows.last().getAttribute('aria-rowindex'));
      for (let known = await last(); known < 400; known = await last()) {
        await until(30_000, async () => {
          await page.evaluate('scrollTo(0, document.body.scrollHeight)');
          expect(await last()).to.be.above(known);
        });
        expect(await rows.count()).to.be.below(100);
      }
      expect(await entry(100_000).count()).to.equal(0);
    });

    it('finds by the policy of egress what “report” has let pass, and allows it for a reason', async () => {
      await using opened = await as('OWNER', '/egress', 'Egress');
      const { page } = opened;
      const row = page.getByRole('row').filter({ hasText: 'api.other.example' });
      await row.getByRole('cell', { name: '40', exact: true }).waitFor();
      await row.getByText('would be cut').waitFor();
      await page.getByRole('row').filter({ hasText: 'evil.example' }).getByText('2 of 2 cut').waitFor();
      await row.getByRole('button', { name: 'Allow it' }).click();
      await page.getByLabel('Mode').selectOption('enforce');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('dialog').getByText('other than the 1 in the list are refused').waitFor();
      await confirm(page, 'Save', 'the report is empty otherwise');
      const { text } = await own.api.send('GET /tenants/self/egress-policy');
      expect(JSON.parse(text)).to.deep.include({ mode: 'enforce', destinations: ['api.other.example'] });
      expect((await logOf('tenant'))[0]).to.include({
        operation: 'update',
        reason: 'the report is empty otherwise',
      });
      await own.api.send('PUT /tenants/self/egress-policy', { body: { mode: 'off', destinations: [] } });
    });

    it('makes a webhook, gets its secret once, sees what became of deliveries, and sends an event again', async () => {
      await using opened = await as('OWNER', '/webhooks', 'Webhooks');
      const { page } = opened;
      await page.getByRole('button', { name: 'New webhook' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('receiver');
      await dialog.getByLabel('Address').fill('https://example.com/receiver');
      await dialog.getByLabel('proxy.created').check();
      await dialog.getByRole('button', { name: 'Create' }).click();
      await dialog.getByText('whsec_').waitFor();
      await dialog.getByRole('button', { name: 'Go on' }).click();
      await page.getByText('Nothing was delivered in the last 7 days').waitFor();
      await page.getByRole('button', { name: 'Send a test event' }).click();
      const row = page.getByRole('row').filter({ hasText: 'webhook.test' });
      await row.getByText('waiting').waitFor();
      const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
      // In place of a runner.
      const [sent] = await own.deliveries.latest(id, 1);
      const attempt = { at: new Date().toISOString(), duration_ms: 7, error: markup };
      if (sent !== undefined) await own.deliveries.note(id, sent.event, 'failed', attempt);
      await row.getByText('after 7 ms').waitFor();
      await row.getByText('failed', { exact: true }).waitFor();
      expect(await page.locator('img').count()).to.equal(0);
      await row.getByRole('button', { name: 'Send again' }).click();
      await row.getByText('waiting').waitFor();
      await page.getByRole('button', { name: 'Disable' }).click();
      await confirm(page, 'Disable');
      await page.getByText('disabled', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Delete' }).click();
      await confirm(page, 'Delete');
      await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
      expect((await logOf('webhook')).map(({ operation }) => operation)).to.include.members([
        'delete',
        'update',
        'create',
      ]);
    });
  });

  describe('who is responsible', () => {
    it('makes an application, changes its rules in words, and rotates its key without downtime', async () => {
      await using opened = await as('OWNER', '/applications', 'Applications');
      const { page, complaints } = opened;
      await page.getByRole('button', { name: 'New application' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('billing');
      await dialog.getByLabel('What it is for').selectOption('Use in proxies and reactors');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await dialog.getByText('This is shown only now.').waitFor();
      const first = (await dialog.locator('code').textContent()) ?? '';
      await dialog.getByRole('button', { name: 'Go on' }).click();
      await page.getByRole('heading', { level: 1, name: 'billing' }).waitFor();
      const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';

      await page.getByRole('button', { name: 'Edit rules' }).click();
      const rules = page.locator('.rules-editor > li');
      await rules.nth(1).getByLabel('In the container').fill('/pci/');
      await rules.nth(1).getByLabel('towards these hosts only').fill('api.example.com, api.example.org');
      await rules.nth(1).getByRole('button', { name: 'Earlier' }).click();
      await page.getByRole('button', { name: 'Save rules…' }).click();
      await page
        .getByRole('dialog')
        .getByText('Nothing has used its keys within 90 days.')
        .or(page.getByText('Nothing has used this key'))
        .waitFor();
      await confirm(page, 'Save', 'billing needs two hosts');
      await page
        .getByRole('listitem')
        .filter({ hasText: 'towards api.example.com, api.example.org only' })
        .waitFor();
      const stored = (await own.api.send(`GET /applications/${id}`)).body as unknown as {
        rules: readonly { container: string }[];
      };
      expect(stored.rules.map(({ container }) => container)).to.deep.equal(['/pci/', '/']);

      const names = redisNames(own.api.config.redisPrefix);
      {
        await using counts = new RecentCounts({
          redis: own.redis,
          names,
          onLost: (error) => expect.fail(String(error)),
        });
        for (let n = 0; n < 600; n += 1) counts.note(own.api.tenant.id, keyField(hashKey(first)));
      }
      await page.getByRole('button', { name: 'Add a key' }).click();
      const second = await page.getByRole('status').locator('code').textContent();
      expect(second).to.match(/^key_/).and.not.equal(first);
      const used = page
        .getByRole('row')
        .filter({ hasText: /\d\/min/ })
        .filter({ hasNotText: '0.00/min' });
      await used.getByRole('button', { name: 'End' }).click();
      await page
        .getByRole('dialog')
        .getByText(/^1[01]\.\d requests\/min use this key\.$/)
        .waitFor();
      await confirm(page, 'End', 'its program has the new one');
      await used.waitFor({ state: 'detached' });
      const [entry] = await logOf('application');
      expect(entry).to.include({ operation: 'delete_key', reason: 'its program has the new one' });
      const refused = await own.api.send('GET /applications/key', { key: first });
      expect(refused.status).to.equal(401);
      const accepted = await own.api.send('GET /applications/key', { key: second });
      expect(accepted.status).to.equal(200);
      expect(complaints).to.deep.equal([]);
    });

    it('an auditor asks what a key may do, and sees by which rule', async () => {
      await using opened = await as('AUDITOR', '/applications', 'Applications');
      const { page } = opened;
      await page.getByRole('link', { name: markup }).click();
      const question = page.getByRole('form', { name: 'Can a key of it do this?' });
      const answer = page.getByRole('status');
      await question.getByLabel('In the container').fill('/pci/high/');
      await question.getByLabel('Towards the host (empty: anywhere)').fill('api.example.com');
      await question.getByRole('button', { name: 'Ask' }).click();
      await answer.getByText('by rule 2: sees the values').waitFor();
      const rules = page.getByRole('listitem');
      await rules.filter({ hasText: 'sees no values' }).getByText('is about something else').waitFor();
      await rules.filter({ hasText: 'towards api.example.com only' }).getByText('decides').waitFor();
      // The address asks the same again.
      await page.goto(page.url().replace('api.example.com', 'elsewhere.example.com'));
      await answer.getByText('by rule 2: the rules for this container are bound to other hosts').waitFor();
      expect(await page.getByRole('button', { name: 'Add a key' }).getAttribute('aria-disabled')).to.equal(
        'true',
      );
    });

    it('exports the log with its proof, and finds a line that was changed', async () => {
      await using opened = await as('AUDITOR', '/audit', 'Audit log');
      const { page, complaints } = opened;
      await page.getByRole('button', { name: 'Export and check…' }).click();
      const dialog = page.getByRole('dialog');
      const download = page.waitForEvent('download');
      await dialog.getByRole('button', { name: 'Export', exact: true }).click();
      await dialog.getByText(/is as it was written: \d+ entries/).waitFor();
      const file = await download;
      const chunks: Buffer[] = [];
      for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString();
      const choose = (changed: string) =>
        dialog
          .getByLabel('Or check a file of before')
          .setInputFiles({ name: 'x.ndjson', mimeType: 'text/plain', buffer: Buffer.from(changed) });
      await choose(text.replace('api.stripe.example', 'api.strike.example'));
      await dialog.getByText(/x\.ndjson is not as it was written: line \d+/).waitFor();
      await dialog.getByText('It was changed').waitFor();
      await choose(text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1));
      await dialog.getByText('The file ends without its last checkpoint').waitFor();
      await choose(text);
      await dialog.getByText('x.ndjson is as it was written').waitFor();
      expect(complaints).to.deep.equal([]);
    });

    it('finds a token, sees who has used it and where it went, and reveals it with a reason', async () => {
      await using opened = await own.signIn('OWNER');
      const { page, complaints, context } = opened;
      await show(page, '/tokens', 'Tokens');
      await page.getByRole('button', { name: 'pci/', exact: true }).click();
      await page.getByRole('link', { name: 'another' }).waitFor({ state: 'detached' });
      await page.getByText(plainValues.masked).waitFor();
      await page.getByRole('link', { name: tokenId }).click();
      await page.getByRole('heading', { level: 1, name: tokenId }).waitFor();
      await page.getByText('api.stripe.example:443').waitFor();
      await page.getByRole('button', { name: 'Reveal…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Reason').fill('too short');
      expect(await dialog.getByRole('button', { name: 'Reveal…' }).isDisabled()).to.equal(true);
      await dialog.getByLabel('Reason').fill('the customer asked for it');
      expect(await findings(page)).to.deep.equal([]);
      await dialog.getByRole('button', { name: 'Reveal…' }).click();
      await dialog.getByText(plainValues.token).waitFor();
      expect(tokens.asked.at(-1)?.slice(2)).to.deep.equal([tokenId, 'the customer asked for it']);
      await dialog.getByRole('button', { name: 'Close' }).click();
      await page.locator('dialog').waitFor({ state: 'detached' });
      expect(await page.content()).not.to.contain(plainValues.token);
      expect(JSON.stringify(await context.storageState()) + page.url()).not.to.contain(plainValues.token);
      expect(complaints).to.deep.equal([]);
    });

    it('invites, gives a role, and removes, each with its effect', async () => {
      await using opened = await as('OWNER', '/members', 'Members');
      const { page } = opened;
      await page.getByRole('button', { name: 'Invite' }).click();
      await page.getByRole('dialog').getByLabel('E-mail').fill('new@example.org');
      await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
      const row = page.getByRole('row').filter({ hasText: 'new@example.org' });
      await row.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByText('makes nobody a member').waitFor();
      await confirm(page, 'Delete', 'the address was wrong');
      await row.waitFor({ state: 'detached' });
      const [entry] = await logOf('tenant_invitation');
      expect(entry).to.include({ operation: 'delete', reason: 'the address was wrong' });
    });

    it('changes settings of the tenant', async () => {
      await using opened = await as('OWNER', '/settings', 'Settings & usage');
      const { page } = opened;
      await page.getByLabel('Leak guard').selectOption('mask');
      await page.getByLabel(/quiet invocations/).fill('5');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('dialog').getByText('default → mask').waitFor();
      await confirm(page, 'Save');
      const { text } = await own.api.send('GET /tenants/self');
      expect(JSON.parse(text)).to.deep.include({
        settings: { response_guard: 'mask', invocation_sampling: '5' },
      });
    });

    it('erases a tenant, and finds its erasure from another one', async () => {
      await using opened = await own.signIn('OWNER');
      const { page } = opened;
      await page.getByRole('combobox', { name: 'Tenant' }).selectOption(own.other.id);
      await page
        .locator(`select.tenant option[value="${own.other.id}"]:checked`)
        .waitFor({ state: 'attached' });
      await show(page, '/encryption-keys', 'Encryption keys');
      await page.getByRole('button', { name: 'Delete this tenant…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('become unreadable at once').waitFor();
      await dialog.getByLabel('Reason').fill('the contract has ended');
      expect(await dialog.getByRole('button', { name: 'Delete this tenant…' }).isDisabled()).to.equal(true);
      await dialog.getByLabel(`Write the name of the tenant: ${otherName}`).fill(otherName);
      await dialog.getByRole('button', { name: 'Delete this tenant…' }).click();
      // The same link is shown on a page that notices the end of the session before it is left.
      await page.waitForURL(`${own.base}/console`);
      await page.getByRole('link', { name: 'Sign in with your company account' }).waitFor();
      const gone = await own.api.send('GET /tenants/self', { key: own.other.managementKey });
      expect(gone.status).to.equal(401);
      await page.goto(`${own.base}/console/session/login?return_to=/console/encryption-keys`);
      await page
        .getByRole('row')
        .filter({ hasText: own.other.id.slice(0, 8) })
        .waitFor();
    });

    it('a viewer finds what would fail disabled, with its reason', async () => {
      await using opened = await as('VIEWER', '/', 'Home');
      const { page } = opened;
      const harmless =
        /^(?:Copy|Copy id|curl|CLI|Copy as .*|Apply|Clear|Pause|Live|Compare|Ask|Try again|Sign out|Sign out everywhere else|request_transform|response_transform)$/;
      for (const [path, heading] of screensOf(own.seeded)) {
        await show(page, path, heading);
        await loaded(page);
        for (const button of await page.locator('main button').all()) {
          const name = (await button.getAttribute('aria-label')) ?? (await button.textContent()) ?? '';
          if (harmless.test(name) || (await button.getAttribute('role')) === 'tab') continue;
          const isOfForm = (await button.getAttribute('disabled')) !== null;
          if (isOfForm || /^Save event$/.test(name)) continue;
          expect(await button.getAttribute('aria-disabled'), `${path}: ${name}`).to.equal('true');
          expect(await button.getAttribute('title'), `${path}: ${name}`).to.match(
            /^Your role (?:lacks the permission|does not let you)/,
          );
          await button.click({ force: true });
          expect(await page.getByRole('dialog').count(), `${path}: ${name}`).to.equal(0);
        }
      }
      await page.goto(`${own.base}/console/audit`);
      await page.getByText('You may not see this').waitFor();
    });

    it('an auditor sees no value anywhere: page, storage, network', async () => {
      await using opened = await as('AUDITOR', '/', 'Home');
      const { page, context, complaints } = opened;
      let seen = '';
      page.on('request', (request) => {
        seen += request.url() + (request.postData() ?? '');
      });
      page.on('response', (response) => {
        void response.text().then(
          (text) => (seen += text),
          () => undefined,
        );
      });
      for (const [path, heading] of screensOf(own.seeded)) {
        await show(page, path, heading);
        await loaded(page);
        seen += await page.content();
      }
      await show(page, `/tokens/${encodeURIComponent(tokenId)}`, tokenId);
      await page.getByText('not shown').waitFor();
      seen += JSON.stringify(await context.storageState());
      seen += await page.evaluate<string>(
        'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
      );
      expect(seen).to.contain('example.com/a');
      for (const value of Object.values(plainValues)) expect(seen).not.to.contain(value);
      expect(seen).not.to.contain(own.api.tenant.managementKey);
      expect(complaints).to.deep.equal([]);
    });
  });

  describe('everybody', () => {
    it('gets to screens, resources and acts by keyboard alone', async () => {
      await using opened = await as('OWNER', '/', 'Home');
      const { page } = opened;
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      // By its role it is gone as soon as it is hidden, before the page has heard of it.
      await page.locator('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.type('new');
      await page.getByRole('option', { name: 'New proxy' }).waitFor();
      expect(await findings(page)).to.deep.equal([]);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'New reactor' }).waitFor();
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.type('audit');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Audit log' }).waitFor();
    });

    it('finds all shortcuts by “?”, which the guide lists too', async () => {
      await using opened = await as('OWNER', '/', 'Home');
      const { page, complaints } = opened;
      const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
      const close = async () => {
        await page.keyboard.press('Escape');
        await page.locator('dialog').waitFor({ state: 'detached' });
      };
      await page.keyboard.press('?');
      await list.waitFor();
      expect(await findings(page)).to.deep.equal([]);
      const keys = await list.locator('kbd').allTextContents();
      const guide = readFileSync(join(checkout, 'docs/console.md'), 'utf8');
      expect([...guide.matchAll(/^\| `([^`]+)`/gm)].map(([, key]) => key)).to.deep.equal(keys);
      // Neither in a dialog nor while somebody writes does a key count.
      await list.getByRole('button', { name: 'Close' }).focus();
      await page.keyboard.type('gp');
      await close();
      expect(new URL(page.url()).pathname).to.match(/^\/console\/?$/);
      for (const [chord, heading] of [
        ['gl', 'Audit log'],
        ['gp', 'Proxies'],
        ['gt', 'Tokens'],
      ] as const) {
        await page.keyboard.type(chord);
        await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
      }
      await page.getByRole('search').waitFor();
      await page.keyboard.press('/');
      const focused = page.locator('form[role="search"] :focus');
      await focused.waitFor();
      await page.keyboard.type('?gp');
      expect(await focused.inputValue()).to.equal('?gp');
      expect(await list.count()).to.equal(0);
      await page.keyboard.press('Control+k');
      await page.keyboard.type('keyboard');
      await page.getByRole('option', { name: 'Keyboard shortcuts' }).waitFor();
      await page.keyboard.press('Enter');
      await list.getByLabel('Use single keys').uncheck();
      await close();
      await page.reload();
      await page.getByRole('heading', { level: 1, name: 'Tokens', exact: true }).waitFor();
      await page.locator('main').focus();
      await page.keyboard.type('gp?');
      // What comes later is there: what came before has done nothing.
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: 'Find or do anything' }).waitFor();
      await close();
      expect([await list.count(), new URL(page.url()).pathname]).to.deep.equal([0, '/console/tokens']);
      await page.evaluate('localStorage.clear()');
      expect(complaints).to.deep.equal([]);
    });

    it('sees markup as text wherever it is', async () => {
      await using opened = await as('OWNER', '/', 'Home');
      const { page, complaints } = opened;
      for (const [path, heading] of screensOf(own.seeded)) {
        await show(page, path, heading);
        await loaded(page);
        expect(await page.locator('img, main script').count(), path).to.equal(0);
        expect(await page.title(), path).to.equal(`${heading} · Glovebox`);
      }
      await show(page, '/audit?entity_type=session', 'Audit log');
      await page.getByText(`Session not ${markup}`).waitFor();
      await page.getByText(`denied: ${markup}`).waitFor();
      await show(page, `/proxies/${own.seeded.proxyId}?tab=code`, markup);
      await write(
        page,
        'request_transform',
        `module.exports = async () => { console.log(${JSON.stringify(markup)}); throw new Error(${JSON.stringify(markup)}); };`,
      );
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByText(`Error: ${markup}`).first().waitFor();
      await page.goto(`${own.base}/console/invocations?subject=${encodeURIComponent(markup)}`);
      await page.getByRole('alert').first().waitFor();
      expect(await page.locator('img, main script').count()).to.equal(0);
      expect(await page.title()).to.equal('Invocations · Glovebox');
      expect(complaints).to.deep.equal([]);
    });

    // What colours and width change is looked at twice.
    for (const [colorScheme, width, rules] of [
      ['light', 1440, undefined],
      ['dark', 390, ['color-contrast', 'scrollable-region-focusable', 'target-size']],
    ] as const) {
      it(`every screen is accessible and within the policy, ${colorScheme}, ${width} px wide`, async () => {
        await using opened = await as('OWNER', '/', 'Home', { colorScheme, width });
        const { page, complaints } = opened;
        for (const [path, heading] of screensOf(own.seeded)) {
          await show(page, path, heading);
          await loaded(page);
          const part = path === '/' ? 'html' : 'main';
          expect(await findings(page, rules, part), path).to.deep.equal([]);
          const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
          expect(overflow, `${path} is wider than the window`).to.be.at.most(0);
        }
        expect(complaints).to.deep.equal([]);
      });
    }

    it('loads the first screen with at most 250 KB and 12 requests, and nothing from elsewhere', async () => {
      await using opened = await openPage(own.browser);
      let bytes = 0;
      let requests = 0;
      const hosts = new Set<string>();
      opened.page.on('response', (response) => {
        hosts.add(new URL(response.url()).origin);
        requests += 1;
        bytes += Number(response.headers()['content-length'] ?? 0);
      });
      await opened.page.goto(`${own.base}/console`);
      await opened.page.getByLabel('Management key').fill(own.api.tenant.managementKey);
      await opened.page.getByRole('button', { name: 'Sign in with a management key' }).click();
      await opened.page.getByRole('img', { name: 'Requests: 800 in all' }).waitFor();
      expect([...hosts]).to.deep.equal([own.base]);
      expect(bytes).to.be.within(20_000, 250 * 1024);
      expect(requests).to.be.at.most(12);
    });
  });
});

/** Another site. */
async function serve(text: string): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
