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
--> statement-breakpoint
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
