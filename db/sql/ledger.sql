-- The credit ledger: append-only blocks of movements, in a hash chain.

-- Three set-based functions write the ledger (docs/architecture/decisions/0010-set-based-ledger.md). Each returns one status per item, in the
-- given order. A key that occurs twice in one call is rejected. The application can call the functions and read the table; no role can change
-- or delete a block.

-- The movements of the blocks, one row each.
CREATE OR REPLACE VIEW nightshift.ledger_entries AS
  SELECT b.account_id, b.from_seq + n.nth AS seq,
    CASE WHEN b.phase IS NULL THEN 'grant' WHEN b.phase = 0 THEN 'reserve'
      WHEN b.balance_delta_micro = -b.held_delta_micro THEN 'release' ELSE 'settle' END AS kind,
    b.first_lookup + coalesce(n.step, n.nth) AS lookup_id, b.attempt, b.phase, b.balance_delta_micro, b.held_delta_micro,
    b.balance_after_micro - (b.to_seq - b.from_seq - n.nth) * b.balance_delta_micro AS balance_after_micro,
    b.held_after_micro - (b.to_seq - b.from_seq - n.nth) * b.held_delta_micro AS held_after_micro,
    b.grant_key, b.reason, b.created_at
  FROM nightshift.ledger_blocks b
  CROSS JOIN LATERAL ROWS FROM (generate_series(0, (b.to_seq - b.from_seq)::integer), unnest(b.steps)) AS n(nth, step);

-- The text of an entry. An unpacked hash covers those of all its entries, a line each. It depends on neither dates nor session settings.
CREATE OR REPLACE FUNCTION nightshift.ledger_entry_text(e nightshift.ledger_entries) RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT concat_ws('|', e.seq, e.kind, coalesce(e.lookup_id::text, '-'), coalesce(e.attempt::text, '-'),
    e.balance_delta_micro, e.held_delta_micro, e.balance_after_micro, e.held_after_micro,
    quote_nullable(e.grant_key), quote_nullable(e.reason))
$$;

-- The text of a block, which its hash covers if it is not unpacked.
CREATE OR REPLACE FUNCTION nightshift.ledger_packed_text(b nightshift.ledger_blocks) RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT concat_ws('|', b.from_seq, b.to_seq, coalesce(b.phase::text, '-'), coalesce(b.attempt::text, '-'),
    coalesce(b.first_lookup::text, '-'), coalesce(b.last_lookup::text, '-'), coalesce(b.steps::text, '-'),
    b.balance_delta_micro, b.held_delta_micro, b.balance_after_micro, b.held_after_micro,
    quote_nullable(b.grant_key), quote_nullable(b.reason))
$$;

-- The movements of one block, as the view has them. The view does not call it: readers of reports may not.
CREATE OR REPLACE FUNCTION nightshift.ledger_entries_of(b nightshift.ledger_blocks) RETURNS SETOF nightshift.ledger_entries
LANGUAGE sql STABLE AS $$
  SELECT b.account_id, b.from_seq + n.nth,
    CASE WHEN b.phase IS NULL THEN 'grant' WHEN b.phase = 0 THEN 'reserve'
      WHEN b.balance_delta_micro = -b.held_delta_micro THEN 'release' ELSE 'settle' END,
    b.first_lookup + coalesce(n.step, n.nth), b.attempt, b.phase, b.balance_delta_micro, b.held_delta_micro,
    b.balance_after_micro - (b.to_seq - b.from_seq - n.nth) * b.balance_delta_micro,
    b.held_after_micro - (b.to_seq - b.from_seq - n.nth) * b.held_delta_micro,
    b.grant_key, b.reason, b.created_at
  FROM ROWS FROM (generate_series(0, (b.to_seq - b.from_seq)::integer), unnest(b.steps)) AS n(nth, step)
$$;

-- The hash of the text of blocks, which covers the hash before.
CREATE OR REPLACE FUNCTION nightshift.ledger_hash(p_before bytea, p_text text) RETURNS bytea
LANGUAGE sql IMMUTABLE AS $$
  SELECT sha256(p_before || convert_to(p_text, 'UTF8'))
$$;

-- The blocks of an account whose lookups overlap a range. Lookups of a block lie within 1,024 ids (`ledger_blocks_lookups`), so both parts
-- read a short range of an index.
CREATE OR REPLACE FUNCTION nightshift.ledger_blocks_of(p_account bigint, p_first bigint, p_last bigint)
RETURNS SETOF nightshift.ledger_blocks
LANGUAGE sql STABLE AS $$
  SELECT b.* FROM nightshift.ledger_blocks b
  WHERE b.account_id = p_account AND b.from_seq = b.to_seq AND b.first_lookup BETWEEN p_first AND p_last
  UNION ALL
  SELECT b.* FROM nightshift.ledger_blocks b
  WHERE b.account_id = p_account AND b.from_seq < b.to_seq AND b.first_lookup BETWEEN p_first - 1023 AND p_last AND b.last_lookup >= p_first
$$;

-- The movements of lookups, and of others with ids between theirs. Reads a range of blocks per 1,024 ids.
CREATE OR REPLACE FUNCTION nightshift.ledger_movements_of(p_account bigint, p_lookups bigint[])
RETURNS TABLE (lookup_id bigint, attempt smallint, phase smallint, balance_delta_micro bigint, held_delta_micro bigint)
LANGUAGE sql STABLE AS $$
  SELECT b.first_lookup + coalesce(n.step, n.nth), b.attempt, b.phase, b.balance_delta_micro, b.held_delta_micro
  FROM (SELECT min(u.id) AS first, max(u.id) AS last FROM unnest(p_lookups) AS u(id) GROUP BY u.id / 1024) s
  CROSS JOIN LATERAL nightshift.ledger_blocks_of(p_account, s.first, s.last) b
  CROSS JOIN LATERAL ROWS FROM (generate_series(0, (b.to_seq - b.from_seq)::integer), unnest(b.steps)) AS n(nth, step)
  WHERE b.first_lookup + coalesce(n.step, n.nth) BETWEEN s.first AND s.last
$$;

-- Rejects a block with a movement that another block has, also by hand. Writers of an account wait for each other. Two blocks of one movement
-- each are left to the unique index.
CREATE OR REPLACE FUNCTION nightshift.reject_second_movement() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  v_repeats boolean;
BEGIN
  PERFORM FROM nightshift.credit_balances WHERE account_id = NEW.account_id FOR NO KEY UPDATE;
  IF NEW.from_seq = NEW.to_seq THEN
    v_repeats := EXISTS (
      SELECT FROM nightshift.ledger_blocks b
      WHERE b.account_id = NEW.account_id AND b.from_seq < b.to_seq AND b.first_lookup BETWEEN NEW.first_lookup - 1023 AND NEW.first_lookup
        AND b.last_lookup >= NEW.first_lookup AND b.phase = NEW.phase AND b.attempt = NEW.attempt
        AND (b.steps IS NULL OR (NEW.first_lookup - b.first_lookup)::smallint = ANY (b.steps)));
  ELSE
    v_repeats := EXISTS (
      SELECT FROM nightshift.ledger_blocks_of(NEW.account_id, NEW.first_lookup, NEW.last_lookup) b
      WHERE b.phase = NEW.phase AND b.attempt = NEW.attempt AND (b.steps IS NULL AND NEW.steps IS NULL OR EXISTS (
        SELECT b.first_lookup + coalesce(n.step, n.nth)
        FROM ROWS FROM (generate_series(0, (b.to_seq - b.from_seq)::integer), unnest(b.steps)) AS n(nth, step)
        INTERSECT
        SELECT NEW.first_lookup + coalesce(n.step, n.nth)
        FROM ROWS FROM (generate_series(0, (NEW.to_seq - NEW.from_seq)::integer), unnest(NEW.steps)) AS n(nth, step))));
    IF NOT v_repeats AND NEW.steps IS NOT NULL THEN
      v_repeats := (SELECT count(DISTINCT s) FROM unnest(NEW.steps) s) < cardinality(NEW.steps);
    END IF;
  END IF;
  IF v_repeats THEN
    RAISE EXCEPTION 'A movement of lookups % to % is in the ledger already.', NEW.first_lookup, NEW.last_lookup
      USING ERRCODE = 'unique_violation', SCHEMA = 'nightshift', TABLE = 'ledger_blocks', CONSTRAINT = 'ledger_blocks_once';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER once BEFORE INSERT ON nightshift.ledger_blocks
  FOR EACH ROW WHEN (NEW.phase IS NOT NULL) EXECUTE FUNCTION nightshift.reject_second_movement();
ALTER TABLE nightshift.ledger_blocks ENABLE ALWAYS TRIGGER once;

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

-- Numbers, chains and inserts a block: it follows the last one of the account. Returns the account after it.
CREATE OR REPLACE FUNCTION nightshift.ledger_append(p_account nightshift.credit_balances, p_block nightshift.ledger_blocks, p_count bigint)
RETURNS nightshift.credit_balances
LANGUAGE plpgsql AS $$
BEGIN
  p_account.balance_micro := p_account.balance_micro + p_count * p_block.balance_delta_micro;
  p_account.held_micro := p_account.held_micro + p_count * p_block.held_delta_micro;
  p_block.account_id := p_account.account_id;
  p_block.from_seq := p_account.last_seq + 1;
  p_block.to_seq := p_account.last_seq + p_count;
  p_block.balance_after_micro := p_account.balance_micro;
  p_block.held_after_micro := p_account.held_micro;
  p_block.created_at := now();
  p_block.is_unpacked_hash := false;
  p_block.hash := nightshift.ledger_hash(p_account.last_hash, nightshift.ledger_packed_text(p_block));
  INSERT INTO nightshift.ledger_blocks SELECT p_block.*;
  p_account.last_seq := p_block.to_seq;
  p_account.last_hash := p_block.hash;
  RETURN p_account;
END $$;

-- Stores movements of lookups in blocks, and updates the balance. A block has movements that differ only in their lookup, in the order of
-- lookups.
CREATE OR REPLACE FUNCTION nightshift.ledger_move(p_account nightshift.credit_balances, p_phase smallint, p_lookups bigint[],
  p_attempts smallint[], p_balances bigint[], p_held bigint[])
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_moves record;
  v_block nightshift.ledger_blocks;
BEGIN
  v_block.phase := p_phase;
  FOR v_moves IN
    SELECT m.attempt, m.balance_delta, m.held_delta, count(*) AS moves, count(DISTINCT m.lookup_id) AS lookups,
      array_agg(m.lookup_id ORDER BY m.lookup_id) AS lookup_ids
    FROM (
      SELECT u.*, (u.lookup_id - min(u.lookup_id) OVER (PARTITION BY u.attempt, u.balance_delta, u.held_delta)) / 1024 AS part
      FROM unnest(p_lookups, p_attempts, p_balances, p_held) AS u(lookup_id, attempt, balance_delta, held_delta)
    ) m
    GROUP BY m.attempt, m.balance_delta, m.held_delta, m.part ORDER BY min(m.lookup_id), m.attempt, m.balance_delta
  LOOP
    IF v_moves.lookups < v_moves.moves THEN
      RAISE EXCEPTION 'A call names a lookup and attempt twice.' USING ERRCODE = 'unique_violation';
    END IF;
    v_block.first_lookup := v_moves.lookup_ids[1];
    v_block.last_lookup := v_moves.lookup_ids[v_moves.moves];
    v_block.steps := CASE WHEN v_block.last_lookup - v_block.first_lookup >= v_moves.moves THEN
      ARRAY(SELECT (l - v_block.first_lookup)::smallint FROM unnest(v_moves.lookup_ids) l) END;
    v_block.attempt := v_moves.attempt;
    v_block.balance_delta_micro := v_moves.balance_delta;
    v_block.held_delta_micro := v_moves.held_delta;
    p_account := nightshift.ledger_append(p_account, v_block, v_moves.moves);
  END LOOP;
  PERFORM nightshift.ledger_close(p_account);
END $$;

-- Updates the balance after new blocks.
CREATE OR REPLACE FUNCTION nightshift.ledger_close(p_account nightshift.credit_balances) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE nightshift.credit_balances SET balance_micro = p_account.balance_micro, held_micro = p_account.held_micro, last_seq = p_account.last_seq,
    last_hash = p_account.last_hash
  WHERE account_id = p_account.account_id AND last_seq < p_account.last_seq;
END $$;

-- True if the items of a call are those of one block: consecutive lookups, in order, with one attempt and one amount.
CREATE OR REPLACE FUNCTION nightshift.ledger_is_even(p_lookups bigint[], p_attempts smallint[], p_amounts bigint[]) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  v_first bigint := p_lookups[1] - 1;
  v_attempt smallint := p_attempts[1];
  v_amount bigint := p_amounts[1];
BEGIN
  RETURN CASE cardinality(p_lookups) WHEN 1 THEN true ELSE cardinality(p_lookups) <= 1024 AND (
    SELECT bool_and(u.lookup_id = v_first + u.ord AND u.attempt = v_attempt AND u.amount = v_amount)
    FROM unnest(p_lookups, p_attempts, p_amounts) WITH ORDINALITY AS u(lookup_id, attempt, amount, ord)) END;
END $$;

-- Adds grants, a block each. Statuses: granted; exists (same key, same amount); mismatch (same key, another amount).
CREATE OR REPLACE FUNCTION nightshift.credit_grant(p_account bigint, p_keys text[], p_amounts bigint[], p_reasons text[])
RETURNS text[]
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nightshift, pg_temp SET enable_seqscan = off AS $$
DECLARE
  v_account credit_balances := ledger_lock(p_account);
  v_statuses text[];
  v_grant record;
  v_block ledger_blocks;
BEGIN
  FOR v_grant IN
    SELECT a.grant_key, a.amount, a.reason,
      (SELECT b.balance_delta_micro FROM ledger_blocks b WHERE b.account_id = p_account AND b.grant_key = a.grant_key) AS granted
    FROM unnest(p_keys, p_amounts, p_reasons) WITH ORDINALITY AS a(grant_key, amount, reason, ord) ORDER BY a.ord
  LOOP
    v_statuses := v_statuses || CASE
      WHEN v_grant.granted IS NULL THEN 'granted'
      WHEN v_grant.granted = v_grant.amount THEN 'exists'
      ELSE 'mismatch' END;
    CONTINUE WHEN v_grant.granted IS NOT NULL;
    v_block.balance_delta_micro := v_grant.amount;
    v_block.held_delta_micro := 0;
    v_block.grant_key := v_grant.grant_key;
    v_block.reason := v_grant.reason;
    v_account := ledger_append(v_account, v_block, 1);
  END LOOP;
  PERFORM ledger_close(v_account);
  RETURN v_statuses;
END $$;

-- Reserves credits. Statuses: reserved; free (an amount of 0); exists (the same hold); mismatch (a hold with another amount); insufficient.
--
-- Running totals use ROWS frames, because the default frame compares peers. Requested amounts stay numeric, because their sum can exceed
-- bigint. The plan is independent of statistics: one that was made for an empty table would stay in the plan cache.
CREATE OR REPLACE FUNCTION nightshift.credit_reserve(p_account bigint, p_lookups bigint[], p_attempts smallint[], p_amounts bigint[])
RETURNS text[]
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nightshift, pg_temp SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_account credit_balances := ledger_lock(p_account);
  v_statuses text[];
  v_lookups bigint[];
  v_attempts smallint[];
  v_balances bigint[];
  v_held bigint[];
  v_count integer := cardinality(p_lookups);
  v_block ledger_blocks;
BEGIN
  IF v_count > 0 AND p_amounts[1] > 0 AND p_amounts[1] <= v_account.balance_micro / v_count AND ledger_is_even(p_lookups, p_attempts, p_amounts)
    AND NOT EXISTS (
      SELECT FROM ledger_blocks_of(p_account, p_lookups[1], p_lookups[v_count]) b WHERE b.phase = 0 AND b.attempt = p_attempts[1]) THEN
    v_block.phase := 0;
    v_block.first_lookup := p_lookups[1];
    v_block.last_lookup := p_lookups[v_count];
    v_block.attempt := p_attempts[1];
    v_block.balance_delta_micro := -p_amounts[1];
    v_block.held_delta_micro := p_amounts[1];
    PERFORM ledger_close(ledger_append(v_account, v_block, v_count));
    RETURN array_fill('reserved'::text, ARRAY[v_count]);
  END IF;
  WITH asked AS MATERIALIZED (
    SELECT a.ord::integer AS ord, a.lookup_id, a.attempt, a.amount
    FROM unnest(p_lookups, p_attempts, p_amounts) WITH ORDINALITY AS a(lookup_id, attempt, amount, ord)
  ), stored AS MATERIALIZED (
    SELECT m.lookup_id, m.attempt, m.held_delta_micro AS hold FROM ledger_movements_of(p_account, p_lookups) m WHERE m.phase = 0
  ), running AS (
    SELECT a.*, s.hold, sum(a.amount) FILTER (WHERE s.hold IS NULL) OVER (ORDER BY a.ord ROWS UNBOUNDED PRECEDING)
      <= v_account.balance_micro AS is_covered
    FROM asked a LEFT JOIN stored s ON s.lookup_id = a.lookup_id AND s.attempt = a.attempt
  ), answered AS (
    SELECT r.*, CASE
      WHEN r.amount = 0 THEN 'free'
      WHEN r.hold = r.amount THEN 'exists'
      WHEN r.hold IS NOT NULL THEN 'mismatch'
      WHEN r.is_covered THEN 'reserved'
      ELSE 'insufficient' END AS status
    FROM running r
  )
  SELECT array_agg(a.status ORDER BY a.ord), array_agg(a.lookup_id) FILTER (WHERE a.status = 'reserved'),
    array_agg(a.attempt) FILTER (WHERE a.status = 'reserved'), array_agg(-a.amount) FILTER (WHERE a.status = 'reserved'),
    array_agg(a.amount) FILTER (WHERE a.status = 'reserved')
  INTO v_statuses, v_lookups, v_attempts, v_balances, v_held
  FROM answered a;
  IF v_lookups IS NOT NULL THEN
    PERFORM ledger_move(v_account, 0::smallint, v_lookups, v_attempts, v_balances, v_held);
  END IF;
  RETURN v_statuses;
END $$;

-- Ends holds: an actual amount of 0 releases; a larger one settles and releases the rest. Statuses: settled; released; exists (the same end);
-- mismatch (another end); no_hold; exceeds (more than held). The last three store nothing.
CREATE OR REPLACE FUNCTION nightshift.credit_resolve(p_account bigint, p_lookups bigint[], p_attempts smallint[], p_actuals bigint[])
RETURNS text[]
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nightshift, pg_temp SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_account credit_balances := ledger_lock(p_account);
  v_statuses text[];
  v_lookups bigint[];
  v_attempts smallint[];
  v_balances bigint[];
  v_held bigint[];
  v_count integer := cardinality(p_lookups);
  v_block ledger_blocks;
  v_hold bigint;
BEGIN
  IF v_count > 0 AND ledger_is_even(p_lookups, p_attempts, p_actuals) THEN
    -- The hold of all, if one block has it, and no end.
    SELECT min(b.held_delta_micro) INTO v_hold
    FROM ledger_blocks_of(p_account, p_lookups[1], p_lookups[v_count]) b
    WHERE b.attempt = p_attempts[1]
    HAVING count(*) = 1 AND bool_and(b.phase = 0 AND b.steps IS NULL AND b.first_lookup <= p_lookups[1] AND b.last_lookup >= p_lookups[v_count]);
    IF p_actuals[1] BETWEEN 0 AND v_hold THEN
      v_block.phase := 1;
      v_block.first_lookup := p_lookups[1];
      v_block.last_lookup := p_lookups[v_count];
      v_block.attempt := p_attempts[1];
      v_block.balance_delta_micro := v_hold - p_actuals[1];
      v_block.held_delta_micro := -v_hold;
      PERFORM ledger_close(ledger_append(v_account, v_block, v_count));
      RETURN array_fill(CASE p_actuals[1] WHEN 0 THEN 'released' ELSE 'settled' END, ARRAY[v_count]);
    END IF;
  END IF;
  WITH asked AS MATERIALIZED (
    SELECT a.ord::integer AS ord, a.lookup_id, a.attempt, a.actual
    FROM unnest(p_lookups, p_attempts, p_actuals) WITH ORDINALITY AS a(lookup_id, attempt, actual, ord)
  ), stored AS MATERIALIZED (
    SELECT m.* FROM ledger_movements_of(p_account, p_lookups) m
  ), answered AS (
    SELECT a.*, h.held_delta_micro AS hold, CASE
      WHEN -(e.held_delta_micro + e.balance_delta_micro) = a.actual THEN 'exists'
      WHEN e.lookup_id IS NOT NULL THEN 'mismatch'
      WHEN h.lookup_id IS NULL THEN 'no_hold'
      WHEN a.actual > h.held_delta_micro THEN 'exceeds'
      WHEN a.actual = 0 THEN 'released'
      ELSE 'settled' END AS status
    FROM asked a
    LEFT JOIN stored h ON h.lookup_id = a.lookup_id AND h.attempt = a.attempt AND h.phase = 0
    LEFT JOIN stored e ON e.lookup_id = a.lookup_id AND e.attempt = a.attempt AND e.phase = 1
  )
  SELECT array_agg(a.status ORDER BY a.ord), array_agg(a.lookup_id) FILTER (WHERE a.status IN ('settled', 'released')),
    array_agg(a.attempt) FILTER (WHERE a.status IN ('settled', 'released')),
    array_agg(a.hold - a.actual) FILTER (WHERE a.status IN ('settled', 'released')),
    array_agg(-a.hold) FILTER (WHERE a.status IN ('settled', 'released'))
  INTO v_statuses, v_lookups, v_attempts, v_balances, v_held
  FROM answered a;
  IF v_lookups IS NOT NULL THEN
    PERFORM ledger_move(v_account, 1::smallint, v_lookups, v_attempts, v_balances, v_held);
  END IF;
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
  nightshift.ledger_entries_of,
  nightshift.ledger_packed_text,
  nightshift.ledger_hash,
  nightshift.ledger_blocks_of,
  nightshift.credit_grant,
  nightshift.credit_reserve,
  nightshift.credit_resolve,
  nightshift.create_account
  TO nightshift_app;
GRANT SELECT ON nightshift.ledger_entries TO nightshift_app;
