/** Tables of the task for the engines of others: outcomes, ads and charges, each at most once per company, and the balance. */
export const peerTables = `
  CREATE SCHEMA peers;
  CREATE TABLE peers.accounts (id integer PRIMARY KEY, balance_micro bigint NOT NULL CHECK (balance_micro >= 0));
  CREATE TABLE peers.outcomes (company_id integer PRIMARY KEY, company_key text NOT NULL, outcome text NOT NULL,
    ads_count integer NOT NULL, ended_at timestamptz NOT NULL DEFAULT now());
  CREATE TABLE peers.ads (company_id integer NOT NULL, position integer NOT NULL, advertiser_id text NOT NULL,
    creative_id text NOT NULL, advertiser_name text, format text, original_url text, start date, last_seen date, texts jsonb,
    variants jsonb, PRIMARY KEY (company_id, position));
  CREATE TABLE peers.charges (company_id integer PRIMARY KEY, account_id integer NOT NULL, amount_micro bigint NOT NULL,
    charged_at timestamptz NOT NULL DEFAULT now());`;

/** Credits of the account, in microcredits, and the price of a company with ads. */
export const openingMicro = 100_000_000_000;
export const foundMicro = 200_000;

/**
 * Commits the answers about companies in one statement, as JSON in its only parameter: outcome, ads and charge of each company that has
 * none yet, and the balance. A company that comes again changes nothing.
 */
export const commitAnswers = `WITH given AS (
    SELECT * FROM json_to_recordset($1::json) AS g (id integer, key text, outcome text, ads json)
  ), ended AS (
    INSERT INTO peers.outcomes (company_id, company_key, outcome, ads_count)
    SELECT id, key, outcome, json_array_length(ads) FROM given ON CONFLICT DO NOTHING RETURNING company_id
  ), stored AS (
    INSERT INTO peers.ads (company_id, position, advertiser_id, creative_id, advertiser_name, format, original_url, start, last_seen,
      texts, variants)
    SELECT g.id, a.position, a.ad->>'advertiserId', a.ad->>'creativeId', a.ad->>'advertiserName', a.ad->>'format',
      a.ad->>'originalUrl', (a.ad->>'start')::date, (a.ad->>'lastSeen')::date, (a.ad->'text')::jsonb, (a.ad->'variants')::jsonb
    FROM ended e JOIN given g ON g.id = e.company_id
    CROSS JOIN LATERAL json_array_elements(g.ads) WITH ORDINALITY AS a (ad, position)
  ), charged AS (
    INSERT INTO peers.charges (company_id, account_id, amount_micro)
    SELECT e.company_id, 1, CASE WHEN g.outcome = 'found' THEN ${foundMicro} ELSE 0 END
    FROM ended e JOIN given g ON g.id = e.company_id RETURNING amount_micro
  )
  UPDATE peers.accounts SET balance_micro = balance_micro - (SELECT coalesce(sum(amount_micro), 0) FROM charged)
  WHERE id = 1`;
