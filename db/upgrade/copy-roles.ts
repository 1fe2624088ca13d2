import type pg from 'pg';

/** Settings that are lists of names, which a literal would make one name (PostgreSQL source: GUC_LIST_QUOTE). */
const lists = new Set([
  'search_path',
  'local_preload_libraries',
  'session_preload_libraries',
  'shared_preload_libraries',
  'temp_tablespaces',
  'unix_socket_directories',
]);

/** The server sets these itself, or the archive does. */
const ownSettings = ['archive_command', 'archive_timeout'];

/** Copies roles with their passwords, memberships and settings, and settings of the server and of its databases. */
export async function copyRoles(from: pg.Client, to: pg.Client): Promise<void> {
  await copyLogins(from, to);
  await copyMemberships(from, to);
  await copySettings(from, to);
  await copyServerSettings(from, to);
}

async function copyLogins(from: pg.Client, to: pg.Client): Promise<void> {
  const { rows } = await from.query<{
    name: string;
    options: string;
    password: string | null;
    until: string | null;
  }>(
    `SELECT rolname AS name, rolpassword AS password, rolvaliduntil::text AS until, concat_ws(' ',
        CASE WHEN rolsuper THEN 'SUPERUSER' ELSE 'NOSUPERUSER' END, CASE WHEN rolinherit THEN 'INHERIT' ELSE 'NOINHERIT' END,
        CASE WHEN rolcreaterole THEN 'CREATEROLE' ELSE 'NOCREATEROLE' END, CASE WHEN rolcreatedb THEN 'CREATEDB' ELSE 'NOCREATEDB' END,
        CASE WHEN rolcanlogin THEN 'LOGIN' ELSE 'NOLOGIN' END, CASE WHEN rolreplication THEN 'REPLICATION' ELSE 'NOREPLICATION' END,
        CASE WHEN rolbypassrls THEN 'BYPASSRLS' ELSE 'NOBYPASSRLS' END, 'CONNECTION LIMIT', rolconnlimit) AS options
      FROM pg_authid WHERE rolname !~ '^pg_' AND rolname <> 'postgres' ORDER BY 1`,
  );
  const present = await to.query<{ name: string }>('SELECT rolname AS name FROM pg_roles');
  const there = new Set(present.rows.map(({ name }) => name));
  for (const { name, options, password, until } of rows) {
    const role = to.escapeIdentifier(name);
    if (!there.has(name)) await to.query(`CREATE ROLE ${role}`);
    const secret = password === null ? 'NULL' : to.escapeLiteral(password);
    const end = until === null ? '' : ` VALID UNTIL ${to.escapeLiteral(until)}`;
    await to.query(`ALTER ROLE ${role} ${options} PASSWORD ${secret}${end}`);
  }
}

/** Options of a membership exist since Postgres 16. */
async function copyMemberships(from: pg.Client, to: pg.Client): Promise<void> {
  const { rows } = await from.query<{ granted: string; member: string; options: string }>(
    `SELECT quote_ident(g.rolname) AS granted, quote_ident(r.rolname) AS member,
        concat_ws(', ', 'ADMIN ' || upper(m.admin_option::text), 'INHERIT ' || upper(to_jsonb(m)->>'inherit_option'),
          'SET ' || upper(to_jsonb(m)->>'set_option')) AS options
      FROM pg_auth_members m JOIN pg_roles g ON g.oid = m.roleid JOIN pg_roles r ON r.oid = m.member
      WHERE r.rolname !~ '^pg_' ORDER BY m.admin_option, 1, 2`,
  );
  for (const { granted, member, options } of rows)
    await to.query(`GRANT ${granted} TO ${member} WITH ${options}`);
}

async function copySettings(from: pg.Client, to: pg.Client): Promise<void> {
  const { rows } = await from.query<{ target: string; name: string; value: string }>(
    `SELECT CASE WHEN s.setrole = 0 THEN format('DATABASE %I', d.datname)
          WHEN s.setdatabase = 0 THEN format('ROLE %I', r.rolname)
          ELSE format('ROLE %I IN DATABASE %I', r.rolname, d.datname) END AS target,
        split_part(c, '=', 1) AS name, substr(c, strpos(c, '=') + 1) AS value
      FROM pg_db_role_setting s LEFT JOIN pg_roles r ON r.oid = s.setrole LEFT JOIN pg_database d ON d.oid = s.setdatabase, unnest(s.setconfig) c`,
  );
  for (const { target, name, value } of rows)
    await to.query(`ALTER ${target} SET ${name} = ${valueOf(to, name, value)}`);
}

/** Copies what `ALTER SYSTEM` has set. */
async function copyServerSettings(from: pg.Client, to: pg.Client): Promise<void> {
  const { rows } = await from.query<{ name: string; value: string }>(
    `SELECT name, setting AS value FROM pg_file_settings
      WHERE sourcefile ~ 'postgresql\\.auto\\.conf$' AND name <> ALL ($1::text[]) AND name IN (SELECT s.name FROM pg_settings s)`,
    [ownSettings],
  );
  for (const { name, value } of rows)
    await to.query(`ALTER SYSTEM SET ${name} = ${valueOf(to, name, value)}`);
}

function valueOf(client: pg.Client, name: string, value: string): string {
  return lists.has(name) ? value : client.escapeLiteral(value);
}

/** Copies privileges on schemas and relations that the new database lacks, such as those of logins for other programs. */
export async function copyPrivileges(from: pg.Client, to: pg.Client): Promise<void> {
  const present = new Set(await listPrivileges(to));
  for (const grant of await listPrivileges(from)) if (!present.has(grant)) await to.query(grant);
}

/** Lists privileges as statements. Objects that the definitions of an earlier release have left over are not there. */
async function listPrivileges(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ statement: string }>(
    `SELECT format('GRANT %s ON SCHEMA %I TO %s%s', a.privilege_type, n.nspname, coalesce(quote_ident(r.rolname), 'PUBLIC'),
          CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END) AS statement
        FROM pg_namespace n, aclexplode(n.nspacl) a LEFT JOIN pg_roles r ON r.oid = a.grantee WHERE n.nspname IN ('nightshift', 'reports', 'account_reports')
      UNION ALL
      SELECT format('GRANT %s ON %s %I.%I TO %s%s', a.privilege_type, CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, n.nspname, c.relname,
          coalesce(quote_ident(r.rolname), 'PUBLIC'), CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace, aclexplode(c.relacl) a LEFT JOIN pg_roles r ON r.oid = a.grantee
        WHERE n.nspname IN ('nightshift', 'reports', 'account_reports') AND a.privilege_type <> 'MAINTAIN'`,
  );
  return rows.map(({ statement }) => statement);
}
