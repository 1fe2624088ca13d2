/** A query with which an account could block a server process, exhaust its memory, or read data of others; and the response to it. */
export interface HostileQuery {
  readonly statement: string;
  /** Part of the error message. */
  readonly refusal: RegExp;
}

const document = "'<a><b/><b/></a>'";
const slowPath = "'count(//*[count(//*[count(//*)>0])>0])'";

/** XML in all its spellings: the evaluation of XPath does not check for interrupts. */
const xml: readonly string[] = [
  `SELECT xpath(${slowPath}, ${document})`,
  `SELECT pg_catalog.xpath(${slowPath}, ${document})`,
  `SELECT "xpath"(${slowPath}, ${document})`,
  `SELECT xpath_exists(${slowPath}, ${document})`,
  `SELECT xmlexists(${slowPath} PASSING ${document})`,
  `SELECT XMLEXISTS/**/(${slowPath} PASSING BY REF ${document})`,
  `SELECT * FROM XMLTABLE(${slowPath} PASSING ${document} COLUMNS n int PATH '.')`,
  `SELECT * FROM ads, LATERAL xmltable('//b' PASSING xmlparse(DOCUMENT ${document}) COLUMNS n text PATH '.') t`,
  `SELECT ${document}::xml`,
  `SELECT ${document}::pg_catalog.xml`,
  `SELECT ${document}::"xml"`,
  `SELECT CAST(${document} AS XML)`,
  `SELECT xml ${document}`,
  `SELECT xml(${document}::text)`,
  `SELECT ${document}::xml[]`,
  `SELECT '{<a/>}'::_xml`,
  `SELECT '{<a/>}'::pg_catalog."_xml"`,
  `SELECT ${document}::U&"\\0078ml"`,
  `SELECT U&"\\0078path"(${slowPath}, ${document})`,
  `SELECT ${document} IS DOCUMENT, NULL::xml`,
  `SELECT XMLPARSE(CONTENT ${document})`,
  `SELECT XMLSERIALIZE(CONTENT XMLPARSE(CONTENT ${document}) AS text)`,
  "SELECT xmlelement(NAME a, 'b')",
  "SELECT xmlforest('b' AS a)",
  'SELECT xmlpi(NAME a)',
  "SELECT xmlcomment('b')",
  'SELECT xmlagg(NULL)',
  'SELECT xmlconcat(NULL)',
  "SELECT xmlroot(NULL, VERSION '1.0')",
  `SELECT xml_is_well_formed(${document})`,
  `SELECT xml_is_well_formed_document(${document})`,
  `SELECT * FROM json_to_record('{"x": "<a/>"}') AS r(x xml)`,
  `SELECT * FROM json_to_recordset('[]') AS r(y text, x "xml")`,
  "SELECT query_to_xml('SELECT 1', true, true, '')",
  "SELECT query_to_xml_and_xmlschema('SELECT 1', true, true, '')",
  "SELECT table_to_xml('ads', true, true, '')",
  "SELECT schema_to_xmlschema('account_reports', true, true, '')",
  "SELECT database_to_xml(true, true, '')",
  "SELECT cursor_to_xml('answer', 1, true, true, '')",
  "SELECT 'a'::text, e'\\'' '', xpath(NULL, NULL) --'",
  "SELECT $$'$$, xmlparse(CONTENT $a$<a/>$a$)",
];

/** Functions that execute a text, or that parse one as a type given by another text. */
const indirect: readonly string[] = [
  "SELECT * FROM ts_stat('SELECT xpath(''//a'', ''<a/>'')::text::tsvector')",
  "SELECT ts_rewrite('a'::tsquery, 'SELECT x, x FROM y')",
  "SELECT pg_input_is_valid('<a/>', 'xml')",
  "SELECT * FROM pg_input_error_info('<a/>', 'xml')",
  "SELECT account_reports.open_query('EXPLAIN SELECT 1')",
  "SELECT open_query('SELECT 1')",
];

/** Plans reveal row counts of tables that all accounts share. */
const plans: readonly string[] = [
  'EXPLAIN SELECT * FROM ads',
  'explain ANALYZE SELECT * FROM ads',
  'EXPLAIN (ANALYZE, VERBOSE) SELECT * FROM ads',
  '/* a */ -- b\n EXPLAIN SELECT 1',
  '/* a /* b */ */ ExPlAiN (COSTS) SELECT 1',
  'EXPLAIN(ANALYZE)SELECT 1',
];

/** Queries that are rejected before they run, on every server. */
export const refusedQueries: readonly HostileQuery[] = [
  ...xml.map((statement) => ({ statement, refusal: /cannot use XML|Unicode escapes/ })),
  ...indirect.map((statement) => ({ statement, refusal: /runs a text as a query/ })),
  ...plans.map((statement) => ({ statement, refusal: /EXPLAIN is not available/ })),
  { statement: 'SELECT public.anything(1)', refusal: /not the schema "public"/ },
  { statement: 'SELECT 1 OPERATOR(public.===) 1', refusal: /not the schema "public"/ },
];

/** Queries that must not be rejected. */
export const harmlessQueries: readonly string[] = [
  "SELECT headline FROM ads WHERE headline ILIKE '%xml sitemap%'",
  "SELECT 'xpath', $$xmltable$$, e'\\'xml' -- xml",
  'SELECT l.company_domain::text, count(*) FROM lookups l JOIN batches b ON b.batch = l.batch GROUP BY 1',
  "SELECT text 'a', b.file_name::varchar(3) FROM batches b",
  'WITH explain AS (SELECT 1 AS n) SELECT explain.n FROM explain',
  'SELECT json_agg(a) FROM ads a',
];

/** Queries that exceed a limit: memory, temporary files, time, or the size of one value. */
export const greedyQueries: readonly HostileQuery[] = [
  {
    statement: "SELECT length(string_agg(repeat('x', 1000000), '')) FROM generate_series(1, 3000)",
    refusal: memory(),
  },
  {
    statement: "SELECT cardinality(array_agg(repeat('x', 1000) || g)) FROM generate_series(1, 9000000) g",
    refusal: anyLimit(),
  },
  { statement: 'SELECT length(json_agg(g)::text) FROM generate_series(1, 90000000) g', refusal: anyLimit() },
  {
    statement:
      "SELECT length(jsonb_object_agg(g, repeat('x', 100))::text) FROM generate_series(1, 9000000) g",
    refusal: anyLimit(),
  },
  { statement: "SELECT length(repeat('x', 900000000))", refusal: memory() },
  {
    statement:
      "SELECT sum(length(a)) FROM unnest(ARRAY[repeat('x', 90000000), repeat('y', 90000000), repeat('z', 90000000)]) a",
    refusal: memory(),
  },
  { statement: "SELECT cardinality(string_to_array(repeat('x,', 90000000), ','))", refusal: memory() },
  { statement: 'SELECT array_length(array_fill(1, ARRAY[120000000]), 1)', refusal: memory() },
  {
    statement: "SELECT length(regexp_replace(repeat('x', 20000000), 'x', repeat('y', 90), 'g'))",
    refusal: memory(),
  },
  { statement: "SELECT length(lpad('x', 260000000))", refusal: memory() },
  { statement: "SELECT length(format('%900000000s', 'x'))", refusal: memory() },
  { statement: "SELECT count(*) FROM regexp_split_to_table(repeat('x ', 90000000), ' ')", refusal: memory() },
  {
    statement:
      "WITH RECURSIVE t(s) AS (SELECT 'x' UNION ALL SELECT s || s FROM t) SELECT max(length(s)) FROM t",
    refusal: anyLimit(),
  },
  {
    statement:
      "SELECT set_config('work_mem', '2097151', false), count(*) FROM (SELECT DISTINCT repeat(g::text, 200) FROM generate_series(1, 9000000) g) d",
    refusal: anyLimit(),
  },
  {
    statement: 'SELECT g FROM generate_series(1, 90000000) g ORDER BY random() LIMIT 200000000',
    refusal: files(),
  },
  {
    statement:
      "SELECT count(*) FROM (SELECT repeat('x', 100) || a FROM generate_series(1, 9000000) a OFFSET 0) s JOIN generate_series(1, 9000000) b ON true",
    refusal: anyLimit(),
  },
  {
    statement: 'WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t',
    refusal: anyLimit(),
  },
  {
    statement: 'SELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 100000) b',
    refusal: time(),
  },
  {
    statement: 'SELECT array_agg(n) FROM (SELECT generate_series(1, 90000000) AS n) g',
    refusal: memory(),
  },
  { statement: "SELECT repeat('x', 2000000000)", refusal: /requested length too large/ },
  { statement: "SELECT repeat('(', 59000)::jsonpath", refusal: /rejected the query/ },
];

function memory(): RegExp {
  return /limit of memory/;
}

function files(): RegExp {
  return /limit of temporary files/;
}

function time(): RegExp {
  return /may take \d+ seconds/;
}

function anyLimit(): RegExp {
  return /limit of memory|limit of temporary files|may take \d+ seconds/;
}

/** Statements with which the login of an account could exhaust shared resources or weaken its limits; all of them are rejected. */
export const forbiddenStatements: readonly HostileQuery[] = [
  ...[
    'CREATE TEMPORARY TABLE t AS SELECT 1',
    'CREATE TABLE account_reports.t (a integer)',
    'CREATE TABLE public.t (a integer)',
    'CREATE SCHEMA t',
    'CREATE SEQUENCE public.s',
    "SELECT nextval('nightshift.lookups_id_seq')",
    "SELECT setval('nightshift.lookups_id_seq', 1)",
    'SELECT last_value FROM nightshift.lookups_id_seq',
    'SELECT lo_create(0)',
    "SELECT lo_from_bytea(0, 'x')",
    "SELECT lo_put(1, 0, 'x')",
    'SELECT pg_advisory_lock(7303116)',
    'SELECT pg_try_advisory_xact_lock_shared(7303116)',
    "SELECT pg_notify('nightshift_work', '')",
    "SELECT pg_logical_emit_message(false, 'x', 'x')",
    'SELECT pg_cancel_backend(pg_backend_pid())',
    'SELECT pg_terminate_backend(pg_backend_pid())',
    'SELECT * FROM pg_locks',
    "SELECT xpath('//a', '<a/>')",
    "SELECT xmlcomment('x')",
    "SELECT query_to_xml('SELECT 1', true, true, '')",
    'SELECT pg_reload_conf()',
    'SELECT pg_rotate_logfile()',
    'SELECT pg_switch_wal()',
    "SELECT pg_create_physical_replication_slot('s', true)",
    "SELECT pg_create_logical_replication_slot('s', 'pgoutput')",
    "SELECT pg_drop_replication_slot('s')",
    'CREATE PUBLICATION p FOR ALL TABLES',
    "SELECT pg_export_snapshot(), pg_read_file('postgresql.conf')",
    "COPY (SELECT 1) TO PROGRAM 'cat'",
    "COPY (SELECT 1) TO '/tmp/x'",
    'SET temp_file_limit = -1',
    "SET session_replication_role = 'replica'",
    'SET log_min_messages = debug5',
    'SET track_activities = off',
    'ALTER SYSTEM SET max_connections = 1',
    'ALTER ROLE CURRENT_USER CONNECTION LIMIT 100',
    "ALTER ROLE CURRENT_USER VALID UNTIL 'infinity'",
    'ALTER ROLE nightshift_account SET work_mem = 64',
    'ALTER DATABASE nightshift SET work_mem = 64',
    "LOAD 'auto_explain'",
    'CHECKPOINT',
    'REINDEX DATABASE nightshift',
    'CREATE EVENT TRIGGER t ON ddl_command_start EXECUTE FUNCTION f()',
    'SELECT statement FROM pg_prepared_statements; SELECT query FROM pg_stat_statements',
  ].map((statement) => ({
    statement,
    refusal:
      /permission denied|must be|Only roles|superuser|does not exist|no security label provider|not allowed/i,
  })),
  { statement: "BEGIN; SELECT 1; PREPARE TRANSACTION 'x'", refusal: /prepared transactions are disabled/ },
];
