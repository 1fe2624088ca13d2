-- The credit ledger: an append-only table of movements, with a hash chain over its blocks.

-- Three set-based functions write the ledger (docs/architecture/decisions/0010-set-based-ledger.md). Each returns one status per item, in the
-- given order. The unique key rejects a key that occurs twice in one call. The application can call the functions and read the table; no role
-- can change or delete an entry.

-- The text of an entry that the hash of its block covers. It depends on neither dates nor session settings.
CREATE OR REPLACE FUNCTION nightshift.ledger_entry_text(e nightshift.ledger_entries) RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT concat_ws('|', e.seq, e.kind, coalesce(e.lookup_id::text, '-'), coalesce(e.attempt::text, '-'),
    e.balance_delta_micro, e.held_delta_micro, e.balance_after_micro, e.held_after_micro,
    quote_nullable(e.grant_key), quote_nullable(e.reason))
$$;

-- Locks the balance of an account. A separate statement: the next statement of the caller takes a snapshot that is newer than the lock.
-- Lock and insert in one statement produced wrong balances (measured).
CREATE OR REPLACE FUNCTION nightshift.ledger_lock(p_account bigint) RETURNS nightshift.credit_balances
LANGUAGE plpgsql AS $$
DECLARE
  v_account nightshift.credit_balances;
BEGIN
  SELECT * INTO v_account FROM nightshift.credit_balances WHERE account_id = p_account FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'Account % has no credit balance.', p_account USING ERRCODE = 'no_data_found';
  END IF;
  RETURN v_account;
END $$;

-- Updates the balance for new entries, and chains their block to the previous block.
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

-- Reserves credits. Statuses: reserved; free (an amount of 0); exists (the same hold); mismatch (a hold with another amount); insufficient.
--
-- Running totals use ROWS frames, because the default frame compares peers, and bigint for holds, because sum() is numeric: together 8 % of a
-- call with 100 rows. Requested amounts stay numeric, because their sum can exceed bigint.
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
  -- A scalar subquery by the full unique key per row. A join that was planned on an empty table would stay in the plan cache and cost ten
  -- times as much later (measured).
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

-- Ends holds: an actual amount of 0 releases; a larger one settles and releases the rest. Statuses: settled; released; exists (the same end);
-- mismatch (another end); no_hold; exceeds (more than held). The last three store nothing.
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

-- Creates an account with a balance of 0. SECURITY DEFINER: only the owner of the ledger writes balances.
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
