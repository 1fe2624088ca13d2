import { sql } from 'drizzle-orm';
import { ValidationError } from '../../src/core/errors.ts';
import { texts } from '../stores/sql/arrays.ts';
import type { Sql } from '../connection/client.ts';
import { readStatementWords } from './statement-words.ts';

/**
 * Functions of Postgres that execute a text as SQL, or convert one to a type that another text names: a statement could use
 * them to do what its own words do not show. Those of XML are found in the catalog.
 */
const indirectFunctions: readonly string[] = [
  'ts_stat',
  'ts_rewrite',
  'pg_input_is_valid',
  'pg_input_error_info',
  'open_query',
];

/** Schemas whose objects a statement may name. Others contain functions of extensions, which are unknown. */
const knownSchemas: readonly string[] = ['pg_catalog', 'information_schema', 'account_reports'];

/**
 * Rejects a statement that Postgres could not interrupt, or whose plan would reveal rows of other accounts.
 *
 * libxml2 evaluates XPath without checking for interrupts: neither `statement_timeout` nor `pg_terminate_backend` ends it, and
 * it can run for hours. Privileges do not help: only a superuser can revoke the functions, and XMLTABLE, XMLPARSE and casts of
 * constants need no privilege at all. The plan cannot be checked either, because the planner already evaluates constants. So a
 * statement is rejected by its words, which are read from the server's own catalog: a statement can use XML only by a keyword
 * of XML, the name of a type that holds XML, a function that takes or returns one, or a relation with such a column. No name
 * has two spellings once Unicode escapes are rejected.
 *
 * @throws ValidationError that names the word.
 */
export async function assertInterruptible(db: Sql, text: string): Promise<void> {
  const { words, qualifiers } = readStatementWords(text);
  if (words[0] === 'explain')
    throw new ValidationError(
      'EXPLAIN is not available here: plans reveal tables that all accounts share. Write one statement that reads: SELECT, VALUES or WITH.',
    );
  const { rows } = await db.execute<{ word: string; kind: 'xml' | 'indirect' | 'schema' }>(
    sql`WITH RECURSIVE words AS MATERIALIZED (SELECT word FROM unnest(${texts(words)}) AS w(word)),
      ${xmlTypes}
      SELECT w.word, CASE WHEN w.word = ANY (${texts(indirectFunctions)}) THEN 'indirect' ELSE 'xml' END AS kind FROM words w
      WHERE w.word = ANY (${texts(indirectFunctions)})
        OR (w.word LIKE 'xml%' AND w.word IN (SELECT k.word FROM pg_get_keywords() k))
        OR EXISTS (SELECT FROM pg_type t JOIN xml_types x ON x.oid = t.oid WHERE t.typname = w.word)
        OR EXISTS (
          SELECT FROM pg_proc p WHERE p.proname = w.word
            -- text(xml), which turns into text what something else has made; text is a word that queries need.
            AND NOT EXISTS (SELECT FROM pg_type t WHERE t.oid = p.prorettype AND t.typname = p.proname AND t.typnamespace = p.pronamespace)
            AND (p.proname LIKE '%xml%' OR EXISTS (SELECT FROM xml_types x
              WHERE x.oid = p.prorettype OR x.oid = ANY (p.proargtypes) OR x.oid = ANY (p.proallargtypes))))
      UNION ALL
      SELECT q.name, 'schema' FROM unnest(${texts(qualifiers)}) AS q(name) JOIN pg_namespace n ON n.nspname = q.name
      WHERE q.name <> ALL (${texts(knownSchemas)}) AND has_schema_privilege('nightshift_account', n.oid, 'USAGE')
      LIMIT 1`,
  );
  const [refused] = rows;
  if (refused !== undefined) throw new ValidationError(messages[refused.kind](refused.word));
}

/** Types whose values hold XML: itself, and arrays, domains, ranges, tables and composite types of it. */
const xmlTypes = sql`xml_types(oid) AS (
    SELECT 'pg_catalog.xml'::regtype::oid
    UNION
    SELECT t.oid FROM xml_types x JOIN pg_type t ON x.oid IN (t.typelem, t.typbasetype)
      OR EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = t.typrelid AND t.typrelid <> 0 AND a.atttypid = x.oid AND NOT a.attisdropped)
      OR EXISTS (SELECT FROM pg_range r WHERE t.oid IN (r.rngtypid, r.rngmultitypid) AND r.rngsubtype = x.oid)
  )`;

const messages = {
  xml: (word: string) =>
    `Queries cannot use XML: "${word}". Postgres cannot end such a query at its time limit. If it is only a name of yours, choose another one.`,
  indirect: (word: string) =>
    `Queries cannot use ${word}, which runs a text as a query. Write that query itself.`,
  schema: (word: string) =>
    `Queries can use built-in objects of Postgres and the views of their account, but not the schema "${word}". If it is only a name of yours, choose another one.`,
};
