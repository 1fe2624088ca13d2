import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { ensurePrivateServer } from '../../../src/postgres-server/index.ts';
import { packageRoot } from '../../../src/package-root.ts';
import {
  environmentOf,
  parseEnvironmentFile,
  readCompose,
  type ComposeService,
} from '../../support/ci/compose.ts';
import { openTestCli, type TestCli } from '../../support/cli/test-cli.ts';
import type { Environment } from '../../support/cli/nightshift-process.ts';
import { createHomes } from '../../support/db/private-postgres-folders.ts';
import { asLogin, withClient } from '../../support/db/test-postgres.ts';

/** Commands for Docker Compose in the deployment guide, line by line. */
const guideBlock = (
  /^```sh\n(for name in [\s\S]*?)^```$/m.exec(
    readFileSync(join(packageRoot, 'docs/guides/deployment.md'), 'utf8'),
  )?.[1] ?? ''
)
  .trim()
  .split('\n');

describe('docker-compose.yml', () => {
  const services = readCompose({
    POSTGRES_PASSWORD: 'p0',
    POSTGRES_APP_PASSWORD: 'p1',
    POSTGRES_READER_PASSWORD: 'p2',
  });
  const named = Object.entries(services);
  const ours = named.filter(([, { image }]) => image === 'nightshift');

  test.each(['POSTGRES_PASSWORD', 'POSTGRES_APP_PASSWORD', 'POSTGRES_READER_PASSWORD'])(
    'does not start without %s',
    (name) => {
      const passwords = { POSTGRES_PASSWORD: 'x', POSTGRES_APP_PASSWORD: 'x', POSTGRES_READER_PASSWORD: 'x' };
      expect(() => readCompose({ ...passwords, [name]: '' })).toThrow(`set ${name} in .env`);
    },
  );

  test.each(named)('%s runs without capabilities, as a user without privileges', (_, service) => {
    expect(service).toMatchObject({ cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    expect([service.cap_add, service.privileged]).toEqual([undefined, undefined]);
    // Nightshift's container runs as the user of its image.
    if (service.image !== 'nightshift') expect(service.user).toMatch(/^(postgres|redis)$/);
  });

  test.each(ours)('%s gets every setting of .env, and no database password', (_, service) => {
    expect(service.env_file).toEqual([{ path: '.env', required: false }]);
    expect(service.read_only).toBe(true);
    const { POSTGRES_PASSWORD, POSTGRES_APP_PASSWORD, POSTGRES_READER_PASSWORD } = service.environment;
    expect([POSTGRES_PASSWORD, POSTGRES_APP_PASSWORD, POSTGRES_READER_PASSWORD]).toEqual(['', '', '']);
  });

  test('the credentials of the administrator are used for migrations only', () => {
    const knowing = ours.filter(([, { environment }]) => JSON.stringify(environment).includes('p0'));
    expect(knowing.map(([name]) => name)).toEqual(['migrate']);
  });

  test('publishes its port on the loopback interface only', () => {
    expect(named.flatMap(([, { ports = [] }]) => ports)).toEqual(['127.0.0.1:3000:3000']);
  });
});

describe('services of docker-compose.yml on a new Postgres', () => {
  const homes = createHomes();
  let service: TestCli;
  let migrate: Environment;
  let api: Environment;
  let url: string;

  beforeAll(async () => {
    const server = await ensurePrivateServer({ home: await homes.make() });
    await makeBare(server.url('postgres', 'postgres'));
    const folder = mkdtempSync(join(tmpdir(), 'nightshift-compose-'));
    const { status } = spawnSync('bash', ['-c', guideBlock[0] ?? ''], { cwd: folder });
    expect(status).toBe(0);
    const env: Environment = {
      ...parseEnvironmentFile(readFileSync(join(folder, '.env'), 'utf8')),
      NIGHTSHIFT_SOURCES: 'sample',
    };
    // The image of Postgres gives its administrator this password.
    await withClient(server.url('postgres', 'postgres'), (client) =>
      client.query(`ALTER ROLE postgres PASSWORD '${env['POSTGRES_PASSWORD'] ?? ''}'`),
    );
    const services = readCompose(env);
    const here = (service: ComposeService | undefined) => {
      if (service === undefined) throw new Error('The service is not in docker-compose.yml.');
      // The queue is the one of this run, and the home folder is that of the test CLI.
      const elsewhere = new Set(['REDIS_URL', 'NIGHTSHIFT_HOME']);
      const settings = Object.entries({ ...environmentOf(service, env), HOST: '127.0.0.1', PORT: '0' });
      return Object.fromEntries(
        settings
          .filter(([name]) => !elsewhere.has(name))
          .map(([name, value]) => [name, value.replace('@postgres:5432', `@127.0.0.1:${server.port}`)]),
      );
    };
    migrate = here(services['migrate']);
    api = { ...here(services['api']), ...queueOf() };
    url = asLogin(server.url('postgres'), 'postgres', env['POSTGRES_PASSWORD'] ?? '');
    service = openTestCli({});
  });
  afterAll(async () => {
    await service.close();
    await homes.clear();
  });

  test('migrate as the owner, also repeatedly, and run with a login that owns nothing', async () => {
    const args = readCompose({
      POSTGRES_PASSWORD: 'x',
      POSTGRES_APP_PASSWORD: 'x',
      POSTGRES_READER_PASSWORD: 'x',
    })['migrate']?.command;
    const first = await service.runApart(args ?? [], { environment: migrate });
    const again = await service.runApart(args ?? [], { environment: migrate });
    const done = {
      exitCode: 0,
      stderr: '',
      stdout: expect.stringContaining('Logins: nightshift, nightshift_account_reader.') as string,
    };
    expect([first, again]).toEqual([expect.objectContaining(done), expect.objectContaining(done)]);
    const { rows } = await withClient(url, (client) =>
      client.query(`SELECT rolsuper, rolcreaterole, (SELECT count(*)::int FROM pg_class c WHERE c.relowner = r.oid) AS owned
        FROM pg_roles r WHERE rolname IN ('nightshift', 'nightshift_account_reader')`),
    );
    expect(rows).toEqual(Array(2).fill({ rolsuper: false, rolcreaterole: false, owned: 0 }));
  });

  test('enrich a file, answer SQL queries, and create a first user', async () => {
    service.write('list.csv', 'domain\nnike.com\nadidas.com\n');
    const done = await service.runApart(['enrich', 'list.csv', '-o', 'out.csv'], { environment: api });
    expect(done).toMatchObject({ exitCode: 0 });
    expect(service.read('out.csv')).toContain('nike.com');
    const counted = await service.ask(['sql', 'select count(*)::int as n from reports.lookups'], {
      environment: api,
    });
    expect(JSON.stringify(counted)).toContain('2');
    expect(guideBlock.at(-1)).toBe(
      'docker compose exec api nightshift users add you@example.com --role operator',
    );
    const added = await service.runApart(['users', 'add', 'you@example.com', '--role', 'operator'], {
      environment: api,
    });
    expect(added).toMatchObject({ exitCode: 0 });
    expect(added.stdout).toContain('http://localhost:3000/');
    expect(await service.runApart(['verify'], { environment: api })).toMatchObject({ exitCode: 0 });
  });

  test('create account logins as the owner only', async () => {
    const refused = await service.runApart(['accounts', 'login', 'default'], { environment: api });
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('NIGHTSHIFT_OWNER_URL');
    const made = await service.runApart(['accounts', 'login', 'default'], {
      environment: { ...migrate, ...queueOf() },
    });
    expect(made).toMatchObject({ exitCode: 0 });
  });

  test('start the API, which runs queries of accounts with their login', async () => {
    const server = service.start(['up'], { environment: api });
    await server.waitForOutput('Press Ctrl-C to stop');
    const address = /Console +(\S+)/.exec(server.stderr())?.[1] ?? '';
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    const key = (await service.ask(['keys', 'create', '--scopes', 'sql:read'], { environment: api })) as {
      key: string;
    };
    const answered = await fetch(`${address}/v1/sql`, {
      method: 'POST',
      headers: { 'x-api-key': key.key, 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'select session_user::text, count(*)::int from lookups' }),
    });
    expect(await answered.json()).toMatchObject({ rows: [['nightshift_account_reader', 2]] });
    expect((await server.stop()).exitCode).toBe(0);
  });

  test('reject a superuser as the login of the service', async () => {
    const asSuperuser = { ...migrate, DATABASE_URL: migrate['NIGHTSHIFT_OWNER_URL'] ?? '' };
    const refused = await service.runApart(['migrate', '--logins'], { environment: asSuperuser });
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('DATABASE_URL is by "postgres", which is the login that migrates');
  });
});

function queueOf(): Environment {
  const redis = inject('redisUrl');
  return redis === null ? {} : { REDIS_URL: redis, NIGHTSHIFT_QUEUE_PREFIX: '{compose}' };
}

/** Removes everything that the setup creates, and creates the database of the Postgres image. */
async function makeBare(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query('DROP DATABASE nightshift WITH (FORCE)');
    const { rows } = await client.query<{ role: string }>(
      "SELECT quote_ident(rolname) AS role FROM pg_roles WHERE rolname LIKE 'nightshift%'",
    );
    for (const { role } of rows) await client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    await client.query('CREATE DATABASE nightshift');
  });
}
