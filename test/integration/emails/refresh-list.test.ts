import { createServer, type RequestListener } from 'node:http';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { refreshedFile } from '../../../src/adapters/mail/lists/list-file.ts';
import { createMailLists } from '../../../src/adapters/mail/lists/mail-lists.ts';
import { disposableListUrl, refreshDisposable } from '../../../src/adapters/mail/lists/refresh-list.ts';
import { createHttpClient, type HttpClient } from '../../../src/adapters/http/http.ts';
import { EnrichError } from '../../../src/core/errors.ts';
import { listenOnLoopback } from '../../support/stand-in/loopback.ts';

const now = new Date('2026-12-24T18:00:00Z');

describe('a refresh of the list of disposable domains', () => {
  let folder: string;
  const client = createHttpClient({ allowedHosts: ['127.0.0.1'] });
  const folders = () => ({ shipped: join(folder, 'shipped'), own: join(folder, 'own') });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'nightshift-refresh-'));
    mkdirSync(join(folder, 'shipped'));
    for (const [name, text] of Object.entries({
      disposable: '# Date: 2026-01-02\nold.example.com\nthrow.com\ntrash.com\n',
      free: 'gmail.com\nyahoo.co.uk\n',
      lookalikes: 'gail.com\n',
      providers: 'gmail.com\n',
      'privacy-relays': 'privaterelay.appleid.com\n',
      role: 'info strict\n',
      'mx-providers': 'mx.example.com one mailboxes\n',
      'silent-hosts': '',
    }))
      writeFileSync(join(folder, 'shipped', `${name}.txt`), text);
  });

  afterAll(() => client.close());
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Serves an answer and refreshes from it. */
  async function refreshFrom(answer: string | RequestListener, options: { deadlineMs?: number } = {}) {
    const listener: RequestListener =
      typeof answer === 'string' ? (_request, response) => void response.end(answer) : answer;
    const server = await listenOnLoopback(createServer(listener));
    onTestFinished(server.close);
    return refresh(`${server.url}/list.conf`, options);
  }

  function refresh(
    from: string,
    options: { deadlineMs?: number; signal?: AbortSignal; client?: HttpClient } = {},
  ) {
    const signal = new AbortController().signal;
    return refreshDisposable({ from, folders: folders(), client, signal, now, ...options });
  }

  /** Expects only the previous contents: no partial list and no leftovers. */
  function expectUnchanged(): void {
    expect(readdirSync(folder)).not.toContain('own');
    expect(createMailLists(folders()).marksOf('throw.com').isDisposable).toBe(true);
  }

  async function expectRefusal(outcome: Promise<unknown>, code: string, words: RegExp): Promise<void> {
    const error: unknown = await outcome.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(EnrichError);
    expect((error as EnrichError).code).toBe(code);
    expect((error as EnrichError).message).toMatch(words);
    expectUnchanged();
  }

  test('replaces the list, reports the changes, and records the origin', async () => {
    const refreshed = await refreshFrom('# a list\nzap.com\n\nthrow.com\r\nnew.com\n');
    expect(refreshed).toMatchObject({ entries: 3, added: 2, removed: 2, file: refreshedFile(folders().own) });
    const text = readFileSync(refreshed.file, 'utf8');
    expect(text.split('\n').slice(1)).toEqual([
      `# Origin: ${refreshed.origin}`,
      '# Date: 2026-12-24',
      '# Licence: as its origin has it',
      '# Refresh: nightshift lists refresh',
      'new.com',
      'throw.com',
      'zap.com',
      '',
    ]);
    expect(readdirSync(join(folder, 'own', 'refreshed'))).toEqual(['disposable.txt']);
    const marks = createMailLists(folders());
    expect(['new.com', 'old.example.com'].map((domain) => marks.marksOf(domain).isDisposable)).toEqual([
      true,
      false,
    ]);
  });

  test('compares with the list refreshed before, without corrections', async () => {
    await refreshFrom('a.com\nb.com\nc.com\n');
    writeFileSync(join(folder, 'own', 'disposable.txt'), '+ours.com\n-b.com\n');
    expect(await refreshFrom('a.com\nb.com\nd.com\n')).toMatchObject({ added: 1, removed: 1 });
    const marks = createMailLists(folders());
    expect(['a.com', 'b.com', 'ours.com'].map((domain) => marks.marksOf(domain).isDisposable)).toEqual([
      true,
      false,
      true,
    ]);
  });

  test.each([
    ['a page', '<html><body>Sign in</body></html>\n', /line 1 \("<html><body>Sign"\)/],
    ['a public suffix', 'a.com\nb.com\nco.uk\n', /1 lines are something else, such as line 3 \("co\.uk"\)/],
    ['an address', 'a.com\nb.com\njane@c.com\n', /line 3/],
    ['capitals', 'a.com\nb.com\nC.com\n', /line 3/],
    ['an escape sequence', 'a.com\nb.com\n\u001b[2Jc.com\n', /line 3 \("\?\[2Jc\.com"\)/],
    ['half of the previous list', 'a.com\n', /shrunk from 3 to 1/],
    ['an empty file', '', /shrunk from 3 to 0/],
    ['a free provider', 'a.com\nb.com\ngmail.com\n', /domains of mail providers: gmail\.com\./],
    [
      'the domain above a relay',
      'a.com\nb.com\nappleid.com\n',
      /domains of mail providers: privaterelay\.appleid\.com/,
    ],
  ])('rejects %s, and changes nothing', async (_what, text, words) => {
    await expectRefusal(refreshFrom(text), 'source_unreadable', words);
  });

  test('follows no redirect', async () => {
    const moved = refreshFrom((_request, response) => {
      response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end();
    });
    await expectRefusal(moved, 'source_unreadable', /answered 302.*redirects are not followed/);
  });

  test('fetches from this machine only if the operator allows it', async () => {
    const server = await listenOnLoopback(
      createServer((_request, response) => response.end('a.com\nb.com\n')),
    );
    onTestFinished(server.close);
    const strict = createHttpClient({ allowedHosts: [] });
    onTestFinished(strict.close);
    await expectRefusal(refresh(server.url, { client: strict }), 'misconfigured', /NIGHTSHIFT_ALLOWED_HOSTS/);
    expect(server.connections()).toBe(0);
  });

  test('fails if the server rejects the request or fails', async () => {
    const answering = (status: number) =>
      refreshFrom((_request, response) => void response.writeHead(status).end('no'));
    await expectRefusal(answering(404), 'source_refused', /answered 404: check the URL/);
    await expectRefusal(answering(500), 'source_unavailable', /answered 500/);
  });

  test('reads at most 5 MB', async () => {
    const endless = refreshFrom((_request, response) => {
      const chunk = 'a.com\n'.repeat(10_000);
      const more = () => void (response.write(chunk, more) && response.destroyed);
      more();
    });
    await expectRefusal(endless, 'source_unreadable', /more than 5000000 bytes/);
  });

  test('ends at its deadline', async () => {
    const slow = refreshFrom((_request, response) => void response.write('a.com\n'), { deadlineMs: 300 });
    await expectRefusal(slow, 'source_unavailable', /no full answer within 300 ms/);
  });

  test('accepts http for this machine only, and no user name', async () => {
    for (const from of [
      'http://example.com/list',
      'http://127.0.0.1.example.com/list',
      'http://192.168.0.1/list',
      'ftp://127.0.0.1/list',
      'file:///etc/hosts',
      'https://jane:secret@example.com/list',
      'list.conf',
      '',
    ]) {
      await expectRefusal(refresh(from), 'validation_error', /must begin with https:\/\//);
    }
  });

  test('fails if it cannot write the file', async () => {
    writeFileSync(join(folder, 'own'), 'a file where a folder should be');
    await expect(refreshFrom('a.com\nb.com\n')).rejects.toThrow(/cannot be written to/);
    rmSync(join(folder, 'own'));
    expectUnchanged();
  });

  test('ends when the signal of the caller aborts', async () => {
    const reason = new Error('stopped');
    const signal = AbortSignal.abort(reason);
    await expect(refresh(disposableListUrl, { signal })).rejects.toBe(reason);
    expectUnchanged();
  });

  test('uses the maintained list over https by default', () => {
    expect(new URL(disposableListUrl)).toMatchObject({
      protocol: 'https:',
      pathname: expect.stringContaining('disposable_email_blocklist.conf') as unknown,
    });
  });
});
