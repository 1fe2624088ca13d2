-- Credits: every change is a line of an append-only ledger whose blocks are chained by their hashes.

-- The ledger (docs/architecture/decisions/0010-set-based-ledger.md): three set-based functions over one append-only table, each answering one status per item in the
-- order given. The same key twice in one call is refused by the unique key. The application may call them and read; nobody
-- may change or delete an entry.

-- What the hash of a block covers of one entry. Stable text: no dates, no settings of the session.
CREATE OR REPLACE FUNCTION nightshift.ledger_entry_text(e nightshift.ledger_entries) RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT concat_ws('|', e.seq, e.kind, coalesce(e.lookup_id::text, '-'), coalesce(e.attempt::text, '-'),
    e.balance_delta_micro, e.held_delta_micro, e.balance_after_micro, e.held_after_micro,
    quote_nullable(e.grant_key), quote_nullable(e.reason))
$$;

-- Locks the account's balance in a statement of its own. The next statement of the caller then takes a snapshot that is newer
-- than the lock; lock and insert in one statement left balances wrong (measured).
CREATE OR REPLACE FUNCTION nightshift.ledger_lock(p_account bigint) RETURNS nightshift.credit_balances
LANGUAGE plpgsql AS $$
DECLARE
  v_account nightshift.credit_balances;
BEGIN
  SELECT * INTO v_account FROM nightshift.credit_balances WHERE account_id = p_account FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'account % has no credit balance', p_account USING ERRCODE = 'no_data_found';
  END IF;
  RETURN v_account;
END $$;

-- Moves the account on by the entries just written, and chains their block to the one before.
CREATE OR REPLACE FUNCTION nightshift.ledger_close(p_account nightshift.credit_balances, p_count bigint, p_balance bigint, p_held bigint,
  p_entries text)
RETURNS void
LANGUAGE plpgsql SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_hash bytea := sha256(p_account.last_hash || convert_to(p_entries, 'UTF8'));
BEGIN
  IF p_count = 0 THEN
    RETURN;
  END IF;
  INSERT INTO ledger_blocks (account_id, from_seq, to_seq, hash)
  VALUES (p_account.account_id, p_account.last_seq + 1, p_account.last_seq + p_count, v_hash);
  UPDATE credit_balances SET balance_micro = p_account.balance_micro + p_balance,
    held_micro = p_account.held_micro + p_held, last_seq = p_account.last_seq + p_count,
    last_hash = v_hash
  WHERE account_id = p_account.account_id;
END $$;

-- Adds grants. Statuses: granted; exists (same key, same amount); mismatch (same key, another amount).
CREATE OR REPLACE FUNCTION nightshift.credit_grant(p_account bigint, p_keys text[], p_amounts bigint[], p_reasons text[])
RETURNS text[]
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nightshift, pg_temp SET enable_seqscan = off AS $$
DECLARE
  v_account credit_balances := ledger_lock(p_account);
  v_statuses text[];
  v_count bigint;
  v_balance bigint;
  v_held bigint;
  v_entries text;
BEGIN
  WITH asked AS MATERIALIZED (
    SELECT a.ord::integer AS ord, a.grant_key, a.amount, a.reason,
      (SELECT e.balance_delta_micro FROM ledger_entries e
        WHERE e.account_id = p_account AND e.grant_key = a.grant_key) AS granted
    FROM unnest(p_keys, p_amounts, p_reasons) WITH ORDINALITY AS a(grant_key, amount, reason, ord)
  ), fresh AS (
    SELECT a.*, row_number() OVER (ORDER BY a.ord) AS n, sum(a.amount) OVER (ORDER BY a.ord) AS total
    FROM asked a WHERE a.granted IS NULL
  ), entries AS (
    INSERT INTO ledger_entries (account_id, seq, kind, balance_delta_micro, held_delta_micro, balance_after_micro,
      held_after_micro, grant_key, reason)
    SELECT p_account, v_account.last_seq + f.n, 'grant', f.amount, 0, v_account.balance_micro + f.total,
      v_account.held_micro, f.grant_key, f.reason
    FROM fresh f
    RETURNING *
  )
  SELECT (SELECT array_agg(CASE
          WHEN a.granted IS NULL THEN 'granted'
          WHEN a.granted = a.amount THEN 'exists'
          ELSE 'mismatch' END ORDER BY a.ord)
      FROM asked a),
    count(*), sum(e.balance_delta_micro), sum(e.held_delta_micro),
    string_agg(ledger_entry_text(e::ledger_entries), E'\n' ORDER BY e.seq)
  INTO v_statuses, v_count, v_balance, v_held, v_entries
  FROM entries e;
  PERFORM ledger_close(v_account, v_count, v_balance, v_held, v_entries);
  RETURN v_statuses;
END $$;

-- The running totals of the ledger's two hot functions by rows, where the default frame compares peers, and of what is held in
-- bigint, where a sum is numeric: 8 % of a call of 100 rows. What is asked for may exceed bigint in sum. Nothing else changes.

CREATE OR REPLACE FUNCTION nightshift.credit_reserve(p_account bigint, p_lookups bigint[], p_attempts smallint[], p_amounts bigint[])
RETURNS text[]
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nightshift, pg_temp SET enable_seqscan = off AS $$
DECLARE
  v_account credit_balances := ledger_lock(p_account);
  v_statuses text[];
  v_count bigint;
  v_balance bigint;
  v_held bigint;
  v_entries text;
BEGIN
  -- One scalar look-up by the full unique key for each row: a join planned while the table was empty would stay in the plan
  -- cache and cost ten times as much once it is not (measured).
  WITH asked AS MATERIALIZED (
    SELECT a.ord::integer AS ord, a.lookup_id, a.attempt, a.amount,
      (SELECT e.held_delta_micro FROM ledger_entries e WHERE e.account_id = p_account AND e.lookup_id = a.lookup_id
        AND e.attempt = a.attempt AND e.phase = 0) AS hold
    FROM unnest(p_lookups, p_attempts, p_amounts) WITH ORDINALITY AS a(lookup_id, attempt, amount, ord)
  ), running AS (
    SELECT a.*, row_number() OVER w AS n, sum(a.amount) OVER w AS total
    FROM asked a WHERE a.hold IS NULL AND a.amount > 0
    WINDOW w AS (ORDER BY a.ord ROWS UNBOUNDED PRECEDING)
  ), entries AS (
    INSERT INTO ledger_entries (account_id, seq, kind, lookup_id, attempt, phase, balance_delta_micro, held_delta_micro,
      balance_after_micro, held_after_micro)
    SELECT p_account, v_account.last_seq + r.n, 'reserve', r.lookup_id, r.attempt, 0, -r.amount, r.amount,
      v_account.balance_micro - r.total, v_account.held_micro + r.total
    FROM running r WHERE r.total <= v_account.balance_micro
    RETURNING *
  )
  SELECT (SELECT array_agg(CASE
          WHEN a.amount = 0 THEN 'free'
          WHEN a.hold = a.amount THEN 'exists'
          WHEN a.hold IS NOT NULL THEN 'mismatch'
          WHEN r.total <= v_account.balance_micro THEN 'reserved'
          ELSE 'insufficient' END ORDER BY a.ord)
      FROM asked a LEFT JOIN running r ON r.ord = a.ord),
    count(*), sum(e.balance_delta_micro), sum(e.held_delta_micro),
    string_agg(ledger_entry_text(e::ledger_entries), E'\n' ORDER BY e.seq)
  INTO v_statuses, v_count, v_balance, v_held, v_entries
  FROM entries e;
  PERFORM ledger_close(v_account, v_count, v_balance, v_held, v_entries);
  RETURN v_statuses;
END $$;

-- Ends holds: an actual amount of 0 releases, more settles and gives the rest back. Statuses: settled, released; exists (the
-- same end again); mismatch (ended otherwise before); no_hold; exceeds (more than was held). Nothing is stored for the last three.
CREATE OR REPLACE FUNCTION nightshift.credit_resolve(p_account bigint, p_lookups bigint[], p_attempts smallint[], p_actuals bigint[])
RETURNS text[]
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nightshift, pg_temp SET enable_seqscan = off AS $$
DECLARE
  v_account credit_balances := ledger_lock(p_account);
  v_statuses text[];
  v_count bigint;
  v_balance bigint;
  v_held bigint;
  v_entries text;
BEGIN
  WITH asked AS MATERIALIZED (
    SELECT a.ord::integer AS ord, a.lookup_id, a.attempt, a.actual,
      (SELECT e.held_delta_micro FROM ledger_entries e WHERE e.account_id = p_account AND e.lookup_id = a.lookup_id
        AND e.attempt = a.attempt AND e.phase = 0) AS hold,
      (SELECT -(e.held_delta_micro + e.balance_delta_micro) FROM ledger_entries e WHERE e.account_id = p_account
        AND e.lookup_id = a.lookup_id AND e.attempt = a.attempt AND e.phase = 1) AS charged
    FROM unnest(p_lookups, p_attempts, p_actuals) WITH ORDINALITY AS a(lookup_id, attempt, actual, ord)
  ), fresh AS (
    SELECT a.*, row_number() OVER w AS n, (sum(a.hold) OVER w)::bigint AS held_total,
      (sum(a.hold - a.actual) OVER w)::bigint AS back_total
    FROM asked a WHERE a.charged IS NULL AND a.actual BETWEEN 0 AND a.hold
    WINDOW w AS (ORDER BY a.ord ROWS UNBOUNDED PRECEDING)
  ), entries AS (
    INSERT INTO ledger_entries (account_id, seq, kind, lookup_id, attempt, phase, balance_delta_micro, held_delta_micro,
      balance_after_micro, held_after_micro)
    SELECT p_account, v_account.last_seq + f.n, CASE WHEN f.actual = 0 THEN 'release' ELSE 'settle' END, f.lookup_id,
      f.attempt, 1, f.hold - f.actual, -f.hold, v_account.balance_micro + f.back_total, v_account.held_micro - f.held_total
    FROM fresh f
    RETURNING *
  )
  SELECT (SELECT array_agg(CASE
          WHEN a.charged = a.actual THEN 'exists'
          WHEN a.charged IS NOT NULL THEN 'mismatch'
          WHEN a.hold IS NULL THEN 'no_hold'
          WHEN a.actual > a.hold THEN 'exceeds'
          WHEN a.actual = 0 THEN 'released'
          ELSE 'settled' END ORDER BY a.ord)
      FROM asked a),
    count(*), sum(e.balance_delta_micro), sum(e.held_delta_micro),
    string_agg(ledger_entry_text(e::ledger_entries), E'\n' ORDER BY e.seq)
  INTO v_statuses, v_count, v_balance, v_held, v_entries
  FROM entries e;
  PERFORM ledger_close(v_account, v_count, v_balance, v_held, v_entries);
  RETURN v_statuses;
END $$;

-- An account and its balance of nothing. Only the ledger's owner writes balances, so this is a function of its.
CREATE OR REPLACE FUNCTION nightshift.create_account(p_name text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nightshift, pg_temp AS $$
DECLARE
  v_id bigint;
BEGIN
  INSERT INTO accounts (name) VALUES (p_name) ON CONFLICT (name) DO NOTHING RETURNING id INTO v_id;
  IF v_id IS NOT NULL THEN
    INSERT INTO credit_balances (account_id) VALUES (v_id);
  END IF;
  RETURN v_id;
END $$;

GRANT EXECUTE ON FUNCTION nightshift.ledger_entry_text,
  nightshift.credit_grant,
  nightshift.credit_reserve,
  nightshift.credit_resolve,
  nightshift.create_account
  TO nightshift_app;
