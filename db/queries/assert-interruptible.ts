import { sql } from 'drizzle-orm';
import { ValidationError } from '../../src/core/errors.ts';
import { texts } from '../stores/sql/arrays.ts';
import type { Sql } from '../connection/client.ts';
import { readStatementWords } from './statement-words.ts';

/**
 * Functions of Postgres that run a text as SQL, or read one as a value of a type that another text names: a statement could reach
 * through them what its own words do not show. Those of XML are found in the catalogue.
 */
const indirectFunctions: readonly string[] = [
  'ts_stat',
  'ts_rewrite',
  'pg_input_is_valid',
  'pg_input_error_info',
  'open_query',
];

/** Schemas of which a statement may name anything. Elsewhere are functions of extensions, of which nothing is known here. */
const knownSchemas: readonly string[] = ['pg_catalog', 'information_schema', 'account_reports'];

/**
 * Refuses a statement that Postgres could not end at its time, or whose plan would tell of rows of other accounts.
 *
 * libxml2 evaluates XPath without looking for interrupts: neither `statement_timeout` nor `pg_terminate_backend` ends it, and hours pass.
 * Rights do not help: nobody but a superuser may withhold the functions, and XMLTABLE, XMLPARSE and casts of constants ask for no right at
 * all. A plan cannot be looked at either, because the planner already evaluates what is constant. So a statement is refused by its words,
 * and which words those are is read from the server's own catalogue: a statement reaches XML by a keyword of XML, by the name of a type
 * that holds XML, by a function that takes or returns one, or by a relation with such a column. Postgres has no other way to name one, and no
 * name has two spellings once Unicode escapes are refused.
 *
 * @throws ValidationError that names the word.
 */
export async function assertInterruptible(db: Sql, text: string): Promise<void> {
  const { words, qualifiers } = readStatementWords(text);
  if (words[0] === 'explain')
    throw new ValidationError(
      'EXPLAIN is not available here: plans tell of tables that all accounts share. Write one statement that reads: SELECT, VALUES or WITH.',
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
    `Queries do not use XML: "${word}". Postgres cannot end such a query at its time limit. Where it is only a name of yours, choose another one.`,
  indirect: (word: string) =>
    `Queries do not use ${word}, which runs a text as a query. Write that query itself.`,
  schema: (word: string) =>
    `Queries use what Postgres comes with and the views of their account, nothing of the schema "${word}". Where it is only a name of yours, choose another one.`,
};
